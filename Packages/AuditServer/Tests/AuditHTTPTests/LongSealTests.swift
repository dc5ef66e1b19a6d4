import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview
@testable import AuditVerifying
@testable import SQLiteStore

@Suite("Seals with long ledgers")
struct LongSealTests {
    private static func seal(of device: SampleDevice, losses count: Int, after previous: Digest? = nil) throws
        -> PartitionSeal
    {
        let loss = LossEntry(reason: .quota, count: 1, noticed: EventInstant(microseconds: 1))
        return try device.key.seal(
            device.partition,
            of: SampleDevice.owner,
            over: device.frontier(through: device.events.count),
            first: nil,
            last: nil,
            previousRoot: previous,
            losses: Array(repeating: loss, count: count)
        )
    }

    private static func device(_ number: UInt32 = 1) -> SampleDevice {
        var device = SampleDevice(number)
        device.record(["a \(number)"])
        return device
    }

    @Test(
        "one of more than 64 KiB is refused by name and counted, its events stay, and one that fits is taken afterwards"
    )
    func refusal() async throws {
        let server = try await TestServer()
        let device = Self.device()
        let user = try await server.headers(.uploader(SampleDevice.owner))
        let auditor = try await server.headers(.auditor)
        let loss = LossEntry(reason: .quota, count: 1, noticed: EventInstant(microseconds: 1))
        let fitting = PartitionSeal.capacity(for: Array(repeating: loss, count: 5000))

        try await server.run { client in
            _ = try await client.upload(device.stretch(1...1), as: user)
            let long = try await client.upload(
                device.stretch(1...1, seal: Self.seal(of: device, losses: 2000)),
                as: user
            )
            #expect(long.status == .badRequest && long.code == "rejected")
            #expect(try long.decoded(Refusal.self).message.contains("continue its ledger in the next seal"))
            let metrics = String(buffer: try await client.get("/api/v1/metrics", as: auditor).body)
            #expect(metrics.contains(#"daybook_refusals_total{refusal="longSeal"} 1"#))
            let fits = try await client.upload(
                device.stretch(1...1, seal: Self.seal(of: device, losses: fitting)),
                as: user
            )
            #expect(try fits.decoded(DurabilityProof.self).isSealed)
        }
    }

    /// A database with seals of megabytes, as a server of an earlier version took them.
    private static func hostileStore(_ path: String) async throws -> (SQLiteEventStore, MerkleTree) {
        let store = try SQLiteEventStore(path: path)
        var tree = MerkleTree()
        var seals: [(PartitionID, PartitionSeal)] = []
        for number in 1...4 as ClosedRange<UInt32> {
            let device = Self.device(number)
            _ = try await store.accept(device.upload(1...1, seal: device.seal()))
            seals.append(
                (device.partition, try seal(of: device, losses: 20_000, after: MerkleHash.leaf([UInt8(number)])))
            )
        }
        let hostile = seals
        for (index, (_, seal)) in hostile.enumerated() {
            let entry = PartitionLogEntry(
                index: UInt64(index),
                app: SampleDevice.owner.app,
                user: SampleDevice.owner.user,
                received: SampleDevice.received,
                seal: seal
            )
            tree.append(entry.leaf)
        }
        let leaves = tree
        try await DatabaseQueue.beside(path)
            .write { database in
                var frontier = MerkleFrontier()
                for (index, (partition, seal)) in hostile.enumerated() {
                    let text = String(decoding: try JSONEncoder().encode(seal), as: UTF8.self)
                    let nodes = frontier.completing(leaves.hash(of: MerkleNode(level: 0, index: UInt64(index))))
                    try database.execute(
                        sql: """
                            UPDATE Partition SET seal = ? WHERE value = ?;
                            UPDATE PartitionLog SET seal = ?, nodes = ? WHERE partition = ?;
                            """,
                        arguments: [text, partition.value, text, Data(nodes.flatMap(\.bytes)), partition.value]
                    )
                }
                try database.execute(sql: "UPDATE PartitionLogHead SET frontier = ?", arguments: [Data(frontier.bytes)])
            }
        return (try SQLiteEventStore(path: path), tree)
    }

    @Test("those of earlier versions are read one at a time, whatever the page's number is")
    func pages() async throws {
        let folder = try TestFolder.made()
        let (store, _) = try await Self.hostileStore(folder.file("db"))

        #expect(try await store.logEntries(from: 0, limit: 5000).map(\.index) == [0])
        #expect(try await store.partitions(after: nil, limit: 1000).count == 1)
        let page = try await store.events(EventFilter(), after: nil, limit: 10, maximumBytes: 1000)
        #expect(page.events.count == 4, "a listing of events goes on behind each page of partitions")
    }

    @Test("a server starts over them and looks at each for losses")
    func watching() async throws {
        let folder = try TestFolder.made()
        let (store, _) = try await Self.hostileStore(folder.file("db"))
        let desk = try await TestServer(store: store).service.parts(SearchIndex()).desk

        _ = try await desk.catchUp(maximumEvents: 1000)
        try await desk.watchLog()

        #expect(desk.read { $0.alerts.values.map(\.alert.kind) }.filter { $0 == .loss }.count == 4)
    }

    @Test("the log and the partitions are shown page by page, with as much of them as fits")
    func showing() async throws {
        let folder = try TestFolder.made()
        let (store, tree) = try await Self.hostileStore(folder.file("db"))
        let server = try await TestServer(store: store)
        let auditor = try await server.headers(.auditor)

        try await server.run { client async throws in
            let head = try await client.get("/api/v1/log/head", as: auditor).decoded(TreeHead.self)
            #expect(head.root == tree.root)
            var next: String? = "0"
            var indices: [UInt64] = []
            while let after = next {
                let page = try await client.get("/api/v1/log/entries?after=\(after)", as: auditor)
                #expect(page.body.readableBytes < 3_000_000)
                for line in try page.lines(LogLine.self) {
                    if case .entry(let entry) = line { indices.append(entry.index) }
                }
                next = page.headers[.nextCursor]
            }
            #expect(indices == [0, 1, 2, 3])
            var partitions = 0
            var cursor: String? = ""
            while let after = cursor {
                let page = try await client.get(
                    "/api/v1/partitions" + (after.isEmpty ? "" : "?after=\(after)"),
                    as: auditor
                )
                #expect(page.status == .ok, "\(String(buffer: page.body).prefix(200))")
                let records = try page.decoded([PartitionRecord].self)
                #expect(records.count <= 1)
                partitions += records.filter { $0.partition.prefix == "ward" }.count
                cursor = page.headers[.nextCursor]
            }
            #expect(partitions == 4)
        }
    }
}
