import AuditServerTesting
import BenchmarkFloors
import BenchmarkHarness
import Foundation
import Synchronization

/// What it took a server to take the changes of many devices of one realm.
struct ChangeLoad: Sendable {
    /// How many devices there are.
    static let deviceCount = 100
    /// How many changes a batch has: what a device gathers while the batch before is on its way.
    static let batchCount = 20

    /// Changes a second, from the first request to the last answer.
    let changesPerSecond: Double
    /// How long each batch took, in nanoseconds, the shortest first.
    let latencies: [Double]

    /// Milliseconds that 99 of 100 batches did not exceed.
    var p99Milliseconds: Double { latencies[(latencies.count - 1) * 99 / 100] / 1_000_000 }

    /// Sends the batches of each device one after the other, on a connection and a thread of its own.
    ///
    /// - Parameters:
    ///   - batches: How many batches each device sends.
    ///   - server: The server.
    /// - Throws: What the server refuses.
    init(batches: Int, to server: ServerProcess) throws {
        var realm = try SampleRealm(files: Self.deviceCount, on: server)
        // Signed before anything is measured, as a device signs on its own time.
        let devices = try (0..<Self.deviceCount)
            .map { device in
                let bodies = try (0..<batches).map { _ in try realm.batch(Self.batchCount, of: device) }
                return (try LoopbackConnection(port: server.port), bodies)
            }
        let latencies = Mutex<[Double]>([])
        let failure = Mutex<(any Error)?>(nil)
        let shared = realm
        let time = nanoseconds {
            let group = DispatchGroup()
            for (connection, bodies) in devices {
                // SAFETY: the connection is this thread's alone from here on.
                nonisolated(unsafe) let connection = connection
                group.enter()
                Thread.detachNewThread {
                    do {
                        let mine = try bodies.map { body in
                            try nanoseconds { try shared.send(body, on: connection) }
                        }
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
        changesPerSecond = Double(Self.deviceCount * batches * Self.batchCount) / time * 1_000_000_000
        self.latencies = latencies.withLock { $0.sorted() }
    }
}
