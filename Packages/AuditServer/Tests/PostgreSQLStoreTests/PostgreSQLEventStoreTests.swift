import AuditHTTP
import AuditModel
import AuditServerTesting
import AuditVerifying
import EventModel
import EventProofs
import Testing

@testable import PostgreSQLStore

@Suite("PostgreSQL store", .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped))
struct PostgreSQLEventStoreTests {
    private func open(_ address: String) async throws -> PostgreSQLEventStore {
        try await PostgreSQLEventStore(.patient(address))
    }

    private func everything(_ store: PostgreSQLEventStore) async throws -> EventPage {
        try await store.events(EventFilter(), after: nil, limit: 10_000, maximumBytes: 100_000_000)
    }

    @Test("the PostgreSQL store keeps the contract")
    func contract() async throws {
        let server = try await PostgreSQLServer.shared()

        let broken = try await AuditStoreConformance { try await open(server.makeDatabase()) }
            .violations()

        #expect(broken == [])
    }

    @Test("a store that is opened again has everything and goes on")
    func reopening() async throws {
        let address = try await PostgreSQLServer.shared().makeDatabase()
        var device = SampleDevice()
        device.record(device.event("a", metadata: try EventMetadata(["shift": "early"])))
        device.record(["b", "c"])
        let before = try await open(address).accept(device.upload(1...2))

        let store = try await open(address)
        let again = try await store.accept(device.upload(1...2))
        let after = try await store.accept(device.upload(3...3, seal: device.seal()))

        #expect(again == before)
        #expect(after.durableThrough == 3)
        #expect(after.root == device.frontier(through: 3).root)
        #expect(after.isSealed)
        #expect(try await store.metadataColumns(of: SampleDevice.owner.app) == ["shift"])
    }

    @Test("an event is found by its id in the index of each month, and not by reading all")
    func eventByID() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let store = try await open(address)
        var device = SampleDevice()
        device.record((1...2000).map { "activity \($0)" })
        _ = try await store.accept(device.upload(1...2000))
        var later = SampleDevice(2)
        later.record((1...2000).map { "activity \($0)" })
        let nextMonth = EventInstant(microseconds: SampleDevice.received.microseconds + 31 * 86_400_000_000)
        _ = try await store.accept(
            EventUpload(
                later.stretch(1...2000),
                owner: SampleDevice.owner,
                received: nextMonth,
                signedBy: SampleDevice.serverKey,
                extendsSchema: true
            )
        )
        try await server.sql("ANALYZE AuditEvent", at: address)

        let id = device.events[1233].id
        let found = try await store.addresses(of: id)
        let plan =
            try await server.texts(
                "EXPLAIN (ANALYZE, BUFFERS OFF, TIMING OFF) "
                    + PostgreSQLEventStore.placesOfID.replacing("$1", with: "'\(id.stringValue)'"),
                at: address
            )
            .compactMap(\.self)

        #expect(found == [EventAddress(partition: device.partition, sequence: 1234)])
        #expect(plan.count { $0.contains("Index Scan using auditevent_") && $0.contains("_id_idx") } == 2, "\(plan)")
        #expect(!plan.contains { $0.contains("Seq Scan") || $0.contains("Rows Removed") }, "\(plan)")
    }

    // MARK: - Columns

    @Test("a database of the first version gets a collection for each app with its keys, and a log of what is sealed")
    func migration() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        var devices: [SampleDevice] = []
        for (number, metadata) in [["a": "1", "b": "2"], ["b": "3", "c d": "4"], [:]].enumerated() {
            var device = SampleDevice(UInt32(number + 1))
            device.record(device.event("x", metadata: try EventMetadata(metadata)))
            device.record(device.event("y"))
            devices.append(device)
        }
        let owners = ["ward-app", "lab", "plain"].map { EventOwner(app: $0, user: "1") }
        let before = try await open(address)
        for (device, owner) in zip(devices, owners) { _ = try await before.accept(device.upload(1...2, owner: owner)) }
        _ = try await before.accept(devices[1].upload(2...2, owner: owners[1], seal: devices[1].seal(of: owners[1])))
        try await server.sql(
            """
            CREATE TABLE MetadataColumn (
                ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text COLLATE "C" NOT NULL UNIQUE
            );
            INSERT INTO MetadataColumn (key) SELECT DISTINCT key FROM CollectionColumn ORDER BY key;
            DROP TABLE CollectionColumn;
            DROP TABLE EventCollection;
            DROP TABLE PasswordAccount, RemovedUser, IssuedToken, ServerKey, KeyStatement, UserSession;
            DROP TABLE PartitionLog;
            DROP TABLE PartitionLogHead;
            UPDATE AuditEvent SET data = '{"value":[]}';
            ALTER TABLE AuditEvent DROP COLUMN daybook_payload, DROP COLUMN daybook_erased, DROP COLUMN daybook_receipt,
                DROP COLUMN daybook_sync;
            DROP TABLE PayloadKey, ErasedRange, Erasure, LegalHold;
            DROP INDEX AuditEventById;
            DROP TABLE TreeNode, EventConflict;
            DELETE FROM DaybookMigration WHERE version >= 2;
            """,
            at: address
        )

        let store = try await open(address)

        #expect(try await store.collections() == ["lab", "plain", "ward-app"])
        #expect(try await store.metadataColumns(of: "ward-app") == ["a", "b"])
        #expect(try await store.metadataColumns(of: "lab") == ["b", "c d"])
        #expect(try await store.metadataColumns(of: "plain") == [])
        #expect(try await everything(store).events.compactMap(\.event) == devices.flatMap(\.events))
        #expect(try await everything(store).events.allSatisfy { $0.mark == .unsigned })
        let entries = try await store.logEntries(from: 0, limit: 10)
        #expect(entries.map(\.partition) == [devices[1].partition])
        #expect(try await store.withLog(durably: false) { try $0.root(at: 1) } == entries.first?.leaf)
    }

    @Test("an empty stretch needs no row but those of the few hashes at its place, also after an update of the tables")
    func treeRows() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        var device = SampleDevice()
        device.record(Array(repeating: "a", count: 300))
        let tree = MerkleTree(leaves: device.events.map { MerkleHash.leaf($0.encoded) })
        let before = try await open(address)
        for range in [1...1, 2...4, 5...200, 201...300] { _ = try await before.accept(device.upload(range)) }
        func empty(at sequence: Int) throws -> EventUpload {
            let stretch = PartitionStretch(
                partition: device.partition,
                firstSequence: UInt64(sequence + 1),
                events: EncodedEvents(),
                root: tree.root(at: UInt64(sequence))
            )
            return try EventUpload(
                stretch,
                owner: SampleDevice.owner,
                received: SampleDevice.received,
                signedBy: SampleDevice.serverKey
            )
        }
        for sequence in stride(from: 0, through: 300, by: 7) {
            #expect(try await before.accept(empty(at: sequence)).root == tree.root)
        }
        try await server.sql(
            """
            DROP TABLE TreeNode, UserSession, EventConflict, KeyStatement;
            ALTER TABLE AuditEvent DROP COLUMN daybook_receipt, DROP COLUMN daybook_sync;
            DELETE FROM DaybookMigration WHERE version >= 7;
            """,
            at: address
        )

        let store = try await open(address)
        let proof = try #require(await store.inclusionProof(of: 100, in: device.partition, count: 256))
        #expect(proof.verify(leaf: MerkleHash.leaf(device.events[99].encoded), root: tree.root(at: 256)))
        try await server.sql("UPDATE AuditEvent SET daybook_leaf = decode(repeat('00', 32), 'hex')", at: address)

        for sequence in stride(from: 0, through: 300, by: 6) {
            #expect(try await store.accept(empty(at: sequence)).root == tree.root)
        }
    }

    @Test("SQL reads what the Event Library calls it")
    func readable() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        var device = SampleDevice()
        device.record(
            device.event("Rounds", metadata: try EventMetadata(["userId": "n1", "x'; DROP TABLE AuditEvent": "2"]))
        )
        _ = try await open(address).accept(device.upload(1...1))

        let found = try await server.texts(
            """
            SELECT concat_ws('|', _id, _partition, activity, event, metadata ->> 'userId',
                metadata ->> 'x''; DROP TABLE AuditEvent',
                to_char(to_timestamp(timestamp / 1e6) AT TIME ZONE 'UTC', 'YYYY-MM-DD'))
            FROM AuditEvent
            """,
            at: address
        )

        let id = device.events[0].id.stringValue
        #expect(found == ["\(id)|\(device.partition.value)|Rounds|read|n1|2|2023-11-14"])
    }

    @Test("texts that PostgreSQL cannot hold come back as they were")
    func hardTexts() async throws {
        let store = try await open(PostgreSQLServer.shared().makeDatabase())
        var device = SampleDevice()
        device.record(
            device.event(
                "\u{0}\u{1A}",
                event: "\u{1A}0",
                data: "\u{0}",
                metadata: try EventMetadata(["k": "\u{0}\"\\"])
            )
        )
        let plain = device.event("a")
        device.record(
            AuditEvent(id: plain.id, clock: plain.clock, activity: "a", data: [0xFF, 0x00, 0x1A, 0xC3, 0x28])
        )
        let extreme = device.event("a")
        device.record(
            AuditEvent(
                id: extreme.id,
                clock: ClockReading(
                    wall: EventInstant(microseconds: .min),
                    monotonicNanoseconds: .max,
                    boot: Boot(high: .max, low: 0)
                ),
                activity: "",
                event: "",
                data: [],
                scopeCommitted: EventInstant(microseconds: .max),
                marks: AuditEvent.Marks(rawValue: 0xFF)
            )
        )

        _ = try await store.accept(device.upload(1...3))

        #expect(try await everything(store).events.compactMap(\.event) == device.events)
    }

    @Test("a stretch of many events and one large event are stored whole, and listed in pages of bounded size")
    func large() async throws {
        let store = try await open(PostgreSQLServer.shared().makeDatabase())
        var device = SampleDevice()
        for number in 1...700 {
            device.record(device.event("a\(number % 3)", data: String(repeating: "x", count: number)))
        }
        device.record(device.event("b", data: String(repeating: "y", count: 3_000_000)))
        device.record(["c"])

        let proof = try await store.accept(device.upload(1...702))
        var listed: [UInt64] = []
        var cursor: EventCursor?
        var pageCount = 0
        repeat {
            let page = try await store.events(EventFilter(), after: cursor, limit: 600, maximumBytes: 50_000)
            listed += page.events.map(\.sequence)
            cursor = page.next
            pageCount += 1
        } while cursor != nil
        let filtered = try await store.events(
            EventFilter(activity: "c"),
            after: nil,
            limit: 10,
            maximumBytes: 1
        )

        #expect(proof.root == device.frontier(through: 702).root)
        #expect(listed == Array(1...702))
        #expect(pageCount > 5)
        #expect(filtered.events.map(\.sequence) == [702])
    }

    @Test("an event that somebody changed in SQL no longer fits its leaf, and one that is damaged fits every filter")
    func tampering() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let store = try await open(address)
        var device = SampleDevice()
        for _ in 1...3 { device.record(device.event("a", metadata: try EventMetadata(["k": "v"]))) }
        _ = try await store.accept(device.upload(1...3))

        try await server.sql("UPDATE AuditEvent SET activity = 'z' WHERE daybook_sequence = 1", at: address)
        try await server.sql("UPDATE AuditEvent SET metadata = '{\"k\": 1}' WHERE daybook_sequence = 2", at: address)
        let all = try await everything(store).events
        let filtered = try await store.events(
            EventFilter(activity: "nobody's"),
            after: nil,
            limit: 10,
            maximumBytes: 1000
        )

        #expect(
            all.map { stored in stored.event.map { MerkleHash.leaf($0.encoded) == stored.leaf } } == [false, nil, true]
        )
        #expect(filtered.events.map(\.sequence) == [2])
    }
}
