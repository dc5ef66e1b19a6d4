import AuditServerTesting
import BenchmarkFloors
import BenchmarkHarness
import Daybook
import EventProofs
import Foundation
import Synchronization

/// The server as a process of its own, over loopback.
func serverBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = ServerWork(workload: workload)
    return [
        Benchmark(
            "server with SQLite, uploads of 500 events",
            unit: "events/s",
            target: .atLeast(20_000),
            floor: { try await work.rawInsertSpeed() },
            ours: { try await work.embeddedLoad().eventsPerSecond }
        ),
        Benchmark(
            "server with SQLite, an upload of 500 events, p99",
            unit: "ms",
            ours: { try await work.embeddedLoad().p99Milliseconds }
        ),
        Benchmark(
            "memory of the server at 1,000 devices",
            unit: "MB",
            target: .atMost(150),
            ours: { try await work.residentMegabytes() }
        ),
        Benchmark(
            "start of the server until it is ready",
            unit: "ms",
            target: .atMost(300),
            floor: { try await work.processStart() },
            ours: { try await work.coldStart() }
        ),
        Benchmark(
            "first event of a new device until an auditor can prove it",
            unit: "s",
            target: .atMost(2),
            ours: { try await work.firstProof() }
        ),
    ]
}

/// The work behind the rows; each turn has a server and a database of its own.
private struct ServerWork: Sendable {
    let workload: Workload
    private let uploads = SharedUploads()

    init(workload: Workload) {
        self.workload = workload
    }

    func embeddedLoad() async throws -> UploadLoad {
        let uploads = try uploads.get(workload)
        return try await workload.withFolder { folder in
            try UploadLoad(uploads, to: ServerProcess(in: folder))
        }
    }

    /// The same number of events in the same transactions, without a server.
    func rawInsertSpeed() async throws -> Double {
        let source = SampleEvents()
        let count = try uploads.get(workload).eventCount
        let payloads = (0..<count).map { source.event($0, about: [SamplePerson($0)]).dataText ?? "" }
        return try await workload.withFolder { folder in
            let events = try RawEvents(path: folder.appending(path: "raw.sqlite").path)
            let time = try nanoseconds {
                for start in stride(from: 0, to: count, by: SampleUploads.batchCount) {
                    try events.insert(payloads[start..<min(count, start + SampleUploads.batchCount)])
                }
            }
            return Double(count) / time * 1_000_000_000
        }
    }

    /// The most memory after 1,000 devices have sent at once, three times over.
    func residentMegabytes() async throws -> Double {
        let uploads = try SampleUploads(devices: 1000, batches: 3, of: 100)
        return try await workload.withFolder { folder in
            let server = try ServerProcess(in: folder)
            let devices = try uploads.devices.map { device in
                let connection = try LoopbackConnection(port: server.port)
                return (device, connection, try server.signIn(on: connection))
            }
            for batch in 0..<3 {
                for (device, connection, token) in devices {
                    try connection.send(
                        "POST",
                        "/api/v1/partitions/\(device.partition)/events",
                        token: token,
                        type: PartitionStretch.mediaType,
                        body: device.bodies[batch]
                    )
                }
                for (_, connection, _) in devices {
                    let answer = try connection.receive()
                    guard answer.status == 200 else { throw LoopbackError.refused(status: answer.status) }
                }
            }
            guard let megabytes = try server.peakMegabytes() else {
                throw SkippedBenchmark("Only Linux says how much memory another process had.")
            }
            return megabytes
        }
    }

    /// Milliseconds from the start of the process until `/ready` is answered, with a folder that has nothing yet.
    func coldStart() async throws -> Double {
        try await workload.withFolder { folder in
            var server: ServerProcess?
            let time = try nanoseconds {
                let started = try ServerProcess(in: folder)
                blackHole(try LoopbackConnection(port: started.port).exchange("GET", "/ready").count)
                server = started
            }
            server = nil
            blackHole(server == nil)
            return time / 1_000_000
        }
    }

    /// Milliseconds until a process that does nothing has ended.
    func processStart() async throws -> Double {
        try nanoseconds {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "exit 0"]
            try process.run()
            process.waitUntilExit()
        } / 1_000_000
    }

    /// Seconds from the start of the upload until an auditor has the leaves, and their tree has the device's root.
    func firstProof() async throws -> Double {
        let device = try SampleUploads(devices: 1, batches: 1, of: 1).devices[0]
        return try await workload.withFolder { folder in
            let server = try ServerProcess(in: folder)
            let auditor = try server.auditorToken()
            let connection = try LoopbackConnection(port: server.port)
            let path = "/api/v1/partitions/\(device.partition)"
            return try nanoseconds {
                let token = try server.signIn(on: connection)
                let answer = try connection.exchange(
                    "POST",
                    "\(path)/events",
                    token: token,
                    type: PartitionStretch.mediaType,
                    body: device.bodies[0]
                )
                let proof = try JSONDecoder().decode(DurabilityProof.self, from: Data(answer))
                let line = try connection.exchange("GET", "\(path)/leaves", token: auditor)
                let leaf = try JSONDecoder().decode(Leaf.self, from: Data(line))
                var frontier = MerkleFrontier()
                frontier.append(MerkleHash.leaf(Hexadecimal.bytes(leaf.encoded) ?? []))
                guard frontier.root == proof.root, proof.durableThrough == 1 else { throw BenchError.notProven }
            } / 1_000_000_000
        }
    }

    private struct Leaf: Decodable {
        let encoded: String
    }
}

/// Uploads that are made when the first row needs them, because making them takes a second.
private final class SharedUploads: Sendable {
    private let made = Mutex<SampleUploads?>(nil)

    func get(_ workload: Workload) throws -> SampleUploads {
        try made.withLock { made in
            if let made { return made }
            let uploads = try SampleUploads(devices: 4, batches: workload.isQuick ? 10 : 25)
            made = uploads
            return uploads
        }
    }
}
