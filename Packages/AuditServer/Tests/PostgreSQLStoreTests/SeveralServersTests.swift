import AuditModel
import AuditServerTesting
import EventModel
import EventProofs
import Testing

@testable import PostgreSQLStore

@Suite("PostgreSQL store of several servers", .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped))
struct SeveralServersTests {
    private func open(_ address: String) async throws -> PostgreSQLEventStore {
        try await PostgreSQLEventStore(.patient(address))
    }

    private func everything(_ store: PostgreSQLEventStore) async throws -> EventPage {
        try await store.events(EventFilter(), after: nil, limit: 10_000, maximumBytes: 100_000_000)
    }

    @Test("servers that start at once on an empty database make its tables once")
    func startingTogether() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...4 {
                group.addTask { _ = try await open(address) }
            }
            try await group.waitForAll()
        }

        #expect(
            try await server.texts("SELECT version || ' ' || name FROM DaybookMigration ORDER BY version", at: address)
                == [
                    "1 collection", "2 collection of each app", "3 log of sealed partitions",
                    "4 accounts and keys", "5 keys, holds and erasures", "6 events by id", "7 trees of partitions",
                    "8 sessions", "9 conflicts of ids", "10 receipts", "11 places in sync",
                    "12 statements of keys",
                ]
        )
    }

    @Test("partitions that two servers seal at once are in the log once each, without gaps")
    func sealingTogether() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let stores = [try await open(address), try await open(address)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...12 as ClosedRange<UInt32> {
                group.addTask {
                    var device = SampleDevice(number)
                    device.record(["a"])
                    let upload = try device.upload(1...1, seal: device.seal())
                    _ = try await stores[Int(number) % 2].accept(upload)
                    _ = try await stores[Int(number + 1) % 2].accept(upload)
                }
            }
            try await group.waitForAll()
        }

        let entries = try await stores[0].logEntries(from: 0, limit: 100)
        let tree = MerkleTree(leaves: entries.map(\.leaf))
        let root = try await stores[1].withLog(durably: true) { try $0.root(at: 12) }
        #expect(entries.map(\.index) == Array(0..<12))
        #expect(Set(entries.map(\.partition)).count == 12)
        #expect(root == tree.root)
    }

    @Test("a stretch that two servers get at once, again and again, is stored once and proven to all")
    func sameStretch() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let stores = [try await open(address), try await open(address)]
        var device = SampleDevice()
        device.record((1...20).map { "activity \($0)" })
        let upload = try device.upload(1...20)

        let proofs = try await withThrowingTaskGroup(of: DurabilityProof.self) { group in
            for number in 0..<12 {
                group.addTask { try await stores[number % 2].accept(upload) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(proofs.map(\.durableThrough) == [20])
        #expect(try await everything(stores[0]).events.compactMap(\.event) == device.events)
        #expect(try await server.texts("SELECT acks::text FROM PartitionAck", at: address) == ["12"])
    }

    @Test("devices that bring the same new columns at once do not wait for each other in a circle")
    func sameColumns() async throws {
        let address = try await PostgreSQLServer.shared().makeDatabase()
        let stores = [try await open(address), try await open(address)]
        let keys = (1...6).map { "key\($0)" }

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in UInt32(1)...12 {
                group.addTask {
                    var device = SampleDevice(number)
                    for key in number.isMultiple(of: 2) ? keys : keys.reversed() {
                        device.record(device.event("a", metadata: try EventMetadata([key: "x"])))
                    }
                    _ = try await stores[Int(number % 2)].accept(device.upload(1...6))
                }
            }
            try await group.waitForAll()
        }

        let columns = try await stores[0].metadataColumns(of: SampleDevice.owner.app)
        #expect(columns.map { Set($0) } == Set(keys))
        #expect(try await everything(stores[1]).events.count == 72)
    }

    @Test("connections that the server ended are opened anew, and nobody notices")
    func lostConnections() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let store = try await open(address)
        var device = SampleDevice()
        device.record(["a", "b"])
        _ = try await store.accept(device.upload(1...1))
        _ = try await everything(store)

        try await server.sql(
            """
            DO $$ BEGIN
                PERFORM pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid();
            END $$
            """,
            at: address
        )

        #expect(try await everything(store).events.count == 1)
        #expect(try await store.accept(device.upload(1...2)).durableThrough == 2)
    }
}
