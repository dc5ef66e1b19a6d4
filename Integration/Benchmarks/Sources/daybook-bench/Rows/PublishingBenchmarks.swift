import AuditModel
import AuditServerTesting
import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Dispatch
import EventModel
import EventProofs
import Foundation
import LogPublishing
import SQLiteStore
import Synchronization

/// The log of sealed partitions as files: how long it takes until they are there, and how many of them are served.
func publishingBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = PublishingWork(workload: workload)
    return [
        Benchmark("seal 1,000 partitions with SQLite and publish the log", unit: "ms", target: .atMost(3000)) {
            try await work.sealing()
        },
        Benchmark("published log: tiles of hashes served", unit: "requests/s", target: .atLeast(5000)) {
            try work.serving("/log/tile/0/000")
        },
        Benchmark("published log: checkpoints served", unit: "requests/s", target: .atLeast(5000)) {
            try work.serving("/log/checkpoint")
        },
    ]
        + workload.counts.map { count in
            Benchmark(
                "tiles: an entry of 400 bytes, in a log of \(count)",
                unit: "ns each",
                target: .timesFloor(2.5),
                step: GrowthStep("tiles: an entry", size: count),
                floor: { work.hashing(count) },
                ours: { try work.building(count) }
            )
        }
}

private struct PublishingWork: Sendable {
    private static let requestsEach = 2000
    private static let readers = 4
    let workload: Workload

    /// Seals partitions one after the other, each as durable as devices are told, and publishes all of them.
    func sealing() async throws -> Double {
        let uploads = try (1...1000 as ClosedRange<UInt32>)
            .map { number in
                var device = SampleDevice(number)
                device.record(["bench"])
                return try device.upload(1...1, seal: device.seal())
            }
        return try await workload.withFolder { folder in
            let store = try SQLiteEventStore(path: folder.appending(path: "events.sqlite").path)
            let publisher = LogPublisher(
                log: store,
                folder: LogFolder(at: folder.appending(path: "log").path, in: POSIXFileSystem()),
                signer: try SampleDevice.serverKey.logSigner(origin: "bench.example/log")
            )
            try await publisher.publish()
            return try await asyncNanoseconds {
                for upload in uploads { blackHole(try await store.accept(upload)) }
                guard try await publisher.publish()?.checkpoint.size == 1000 else { throw BenchError.wrongAnswer }
            } / 1_000_000
        }
    }

    private struct Account: Decodable {
        let userID: String
        let accessToken: String
    }

    /// Asks for one file of a log of 256 entries, over and over, from several connections.
    func serving(_ path: String) throws -> Double {
        // LIVE: a name that no other turn has.
        let folder = try workload.makeSharedFolder("published-\(UUID().uuidString)")
        let server = try ServerProcess(in: folder)
        defer { server.stop() }
        let connection = try LoopbackConnection(port: server.port)
        let body = try connection.exchange(
            "POST",
            "/api/v1/apps/bench/login",
            body: Array(#"{"provider":"anon-user"}"#.utf8)
        )
        let account = try JSONDecoder().decode(Account.self, from: Data(body))
        let owner = EventOwner(app: "bench", user: account.userID)
        for number in 1...256 as ClosedRange<UInt32> {
            var device = SampleDevice(number)
            device.record(["bench"])
            blackHole(
                try connection.exchange(
                    "POST",
                    "/api/v1/partitions/\(device.partition.value)/events",
                    token: account.accessToken,
                    type: PartitionStretch.mediaType,
                    body: try device.stretch(1...1, seal: device.seal(of: owner)).wireBytes()
                )
            )
        }
        // The server publishes what was sealed within a second.
        var size: UInt64 = 0
        while size < 256 {
            size = try SignedCheckpoint(connection.exchange("GET", "/log/checkpoint")).checkpoint.size
        }
        let failure = Mutex<(any Error)?>(nil)
        let time = nanoseconds {
            DispatchQueue.concurrentPerform(iterations: Self.readers) { _ in
                do {
                    let connection = try LoopbackConnection(port: server.port)
                    for _ in 0..<Self.requestsEach { blackHole(try connection.exchange("GET", path)) }
                } catch {
                    failure.withLock { $0 = error }
                }
            }
        }
        if let error = failure.withLock(\.self) { throw error }
        return Double(Self.readers * Self.requestsEach) / time * 1_000_000_000
    }

    private static let entry = [UInt8](repeating: 7, count: 400)

    /// The tree alone, without any file.
    func hashing(_ count: Int) -> Double {
        var frontier = MerkleFrontier()
        let time = nanoseconds { for _ in 0..<count { frontier.append(MerkleHash.leaf(Self.entry)) } }
        blackHole(frontier.root)
        return time / Double(count)
    }

    func building(_ count: Int) throws -> Double {
        var builder = TileBuilder()
        let time = try nanoseconds {
            for _ in 0..<count { blackHole(try builder.append(Self.entry)) }
        }
        blackHole(builder.root)
        return time / Double(count)
    }
}
