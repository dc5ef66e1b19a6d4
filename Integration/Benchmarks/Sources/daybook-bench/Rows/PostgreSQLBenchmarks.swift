import AuditModel
import AuditServerTesting
import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Foundation
import PostgreSQLStore
import Synchronization

/// The server with PostgreSQL: one node, and three of which two have a commit before it is acknowledged.
func postgreSQLBenchmarks(_ workload: Workload) -> [Benchmark] {
    [1, 3]
        .flatMap { nodes in
            let work = PostgreSQLWork(workload: workload, nodeCount: nodes)
            let name = nodes == 1 ? "one PostgreSQL node" : "three PostgreSQL nodes, quorum commit"
            return [
                Benchmark(
                    "server with \(name), uploads of 500 events",
                    unit: "events/s",
                    target: .atLeast(10_000),
                    floor: { try await work.copySpeed() },
                    ours: { try await work.load().eventsPerSecond }
                ),
                Benchmark(
                    "server with \(name), an upload of 500 events, p99",
                    unit: "ms",
                    target: .atMost(250),
                    ours: { try await work.load().p99Milliseconds }
                ),
                Benchmark(
                    "seal 1,000 partitions of 64 devices with \(name)",
                    unit: "ms",
                    target: .atMost(3000),
                    ours: { try await work.sealing() }
                ),
            ]
        }
}

/// The work behind the rows; each turn has nodes of its own.
private struct PostgreSQLWork: Sendable {
    let workload: Workload
    let nodeCount: Int

    func load() async throws -> UploadLoad {
        let uploads = try SampleUploads(devices: 4, batches: workload.isQuick ? 10 : 25)
        return try await workload.withFolder { folder in
            let nodes = try PostgreSQLNodes(count: nodeCount)
            return try withExtendedLifetime(nodes) {
                try UploadLoad(uploads, to: ServerProcess(in: folder, postgres: nodes.address))
            }
        }
    }

    /// Seals partitions of many devices at once, each as durable as devices are told.
    func sealing() async throws -> Double {
        let uploads = try (1...1000 as ClosedRange<UInt32>)
            .map { number in
                var device = SampleDevice(number)
                device.record(["bench"])
                return try device.upload(1...1, seal: device.seal())
            }
        let nodes = try PostgreSQLNodes(count: nodeCount)
        defer { withExtendedLifetime(nodes) {} }
        let store = try await PostgreSQLEventStore(PostgreSQLConfiguration(address: nodes.address))
        return try await asyncNanoseconds {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for device in 0..<64 {
                    group.addTask {
                        for index in stride(from: device, to: uploads.count, by: 64) {
                            blackHole(try await store.accept(uploads[index]))
                        }
                    }
                }
                try await group.waitForAll()
            }
            guard try await store.withLog(durably: true, { $0.count }) == 1000 else { throw BenchError.wrongAnswer }
        } / 1_000_000
    }

    /// Events a second that four sessions of `psql` copy into such a table, in the same transactions, without a server.
    func copySpeed() async throws -> Double {
        let batches = workload.isQuick ? 10 : 25
        let source = SampleEvents()
        let texts = (0..<4)
            .map { session in
                (0..<batches)
                    .map { batch in
                        let rows = (0..<SampleUploads.batchCount)
                            .map { offset in
                                let number = (session * batches + batch) * SampleUploads.batchCount + offset
                                let event = source.event(number, about: [SamplePerson(number)])
                                let sequence = batch * SampleUploads.batchCount + offset + 1
                                return [
                                    event.id.stringValue, "bench-\(session)", event.activity, "read",
                                    event.dataText ?? "", "\(event.timestamp.microseconds)", "\(sequence)",
                                    "\\\\x" + String(repeating: "ab", count: 32), "\(session)",
                                ]
                                .joined(separator: "\t")
                            }
                        return "BEGIN;\nCOPY event FROM STDIN;\n\(rows.joined(separator: "\n"))\n\\.\nCOMMIT;\n"
                    }
                    .joined()
            }
        let nodes = try PostgreSQLNodes(count: nodeCount)
        try nodes.run([
            """
            CREATE TABLE event (_id text NOT NULL, _partition text NOT NULL, activity text NOT NULL, event text, data text,
            timestamp bigint NOT NULL, sequence bigint NOT NULL, leaf bytea NOT NULL, owner bigint NOT NULL,
            PRIMARY KEY (_partition, sequence));
            CREATE UNIQUE INDEX event_by_id ON event (owner, _id);
            """
        ])
        let time = try nanoseconds { try nodes.run(texts) }
        return Double(4 * batches * SampleUploads.batchCount) / time * 1_000_000_000
    }
}
