import AuditServerTesting
import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Foundation
import Synchronization

/// What uploading some devices' events took.
struct UploadLoad: Sendable {
    /// Events a second, from the first request to the last answer.
    let eventsPerSecond: Double
    /// How long each upload took, in nanoseconds, the shortest first.
    let latencies: [Double]

    /// Milliseconds that 99 of 100 uploads did not exceed.
    var p99Milliseconds: Double { latencies[(latencies.count - 1) * 99 / 100] / 1_000_000 }

    /// Uploads with a connection and a thread for each device, each waiting for its answers.
    init(_ uploads: SampleUploads, to server: ServerProcess) throws {
        let connections = try uploads.devices.map { device in
            let connection = try LoopbackConnection(port: server.port)
            return (device, connection, try server.signIn(on: connection))
        }
        let latencies = Mutex<[Double]>([])
        let failure = Mutex<(any Error)?>(nil)
        let time = nanoseconds {
            let group = DispatchGroup()
            for (device, connection, token) in connections {
                // SAFETY: the connection is this thread's alone from here on.
                nonisolated(unsafe) let connection = connection
                group.enter()
                Thread.detachNewThread {
                    do {
                        let mine = try Self.upload(device, on: connection, token)
                        latencies.withLock { $0 += mine }
                    } catch {
                        failure.withLock { $0 = error }
                    }
                    group.leave()
                }
            }
            group.wait()
        }
        if let error = failure.withLock(\.self) { throw error }
        eventsPerSecond = Double(uploads.eventCount) / time * 1_000_000_000
        self.latencies = latencies.withLock { $0.sorted() }
    }

    private static func upload(
        _ device: SampleUploads.Device,
        on connection: LoopbackConnection,
        _ token: String
    ) throws -> [Double] {
        try device.bodies.map { body in
            try nanoseconds {
                blackHole(
                    try connection.exchange(
                        "POST",
                        "/api/v1/partitions/\(device.partition)/events",
                        token: token,
                        type: PartitionStretch.mediaType,
                        body: body
                    )
                    .count
                )
            }
        }
    }
}
