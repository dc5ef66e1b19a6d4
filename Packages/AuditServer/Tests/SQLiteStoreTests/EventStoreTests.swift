import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import GRDB
import SQLiteStore
import Testing

@Suite("Event stores")
struct EventStoreTests {
    @Test("the store in memory keeps the contract")
    func inMemory() async throws {
        let broken = try await AuditStoreConformance { InMemoryEventStore() }.violations()

        #expect(broken == [])
    }

    @Test("the SQLite store keeps the contract")
    func sqlite() async throws {
        let folder = try TestFolder.made()

        let broken = try await AuditStoreConformance {
            try SQLiteEventStore(path: folder.file("\(UUID().uuidString).sqlite"))
        }
        .violations()

        #expect(broken == [])
    }

    @Test("a store that is opened again has everything and goes on")
    func reopening() async throws {
        let folder = try TestFolder.made()
        var device = SampleDevice()
        device.record(device.event("a", metadata: try EventMetadata(["shift": "early"])))
        device.record(["b", "c"])
        let before = try await SQLiteEventStore(path: folder.file("db")).accept(device.upload(1...2))

        let store = try SQLiteEventStore(path: folder.file("db"))
        let again = try await store.accept(device.upload(1...2))
        let after = try await store.accept(device.upload(3...3, seal: device.seal()))

        #expect(again == before)
        #expect(after.durableThrough == 3)
        #expect(after.root == device.frontier(through: 3).root)
        #expect(try await store.metadataColumns(of: SampleDevice.owner.app) == ["shift"])
    }

    @Test("of uploads that arrive at once the refused ones leave nothing behind and hinder no other")
    func uploadsAtOnce() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteEventStore(path: folder.file("db"))
        let devices = (1...40)
            .map { number in
                var device = SampleDevice(UInt32(number))
                device.record(["a", "b", "c"])
                return device
            }
        let stranger = EventOwner(app: SampleDevice.owner.app, user: "0000000000000000000000bb")
        for device in devices.prefix(10) { _ = try await store.accept(device.upload(1...1)) }

        let outcomes = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            for (number, device) in devices.enumerated() {
                // The first ten partitions belong to somebody else than who uploads here.
                let upload = try device.upload(1...3, owner: number < 10 ? stranger : SampleDevice.owner)
                group.addTask {
                    do {
                        return (number, try await store.accept(upload).root == upload.root)
                    } catch AuditServerError.forbidden {
                        return (number, false)
                    }
                }
            }
            return try await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
        }

        #expect(outcomes.filter(\.value).keys.sorted() == Array(10..<40))
        let records = try await store.partitions(after: nil, limit: 100)
        #expect(records.map(\.count) == Array(repeating: 1, count: 10) + Array(repeating: 3, count: 30))
        #expect(records.allSatisfy { $0.owner == SampleDevice.owner })
    }

    @Test("only the owner may read the database and its log")
    func permissions() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteEventStore(path: folder.file("db"))
        var device = SampleDevice()
        device.record(["a"])
        _ = try await store.accept(device.upload(1...1))

        for name in ["db", "db-wal"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test("a file that is no database is refused with a sentence")
    func notADatabase() throws {
        let folder = try TestFolder.made()
        try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: folder.file("db")))

        #expect(throws: AuditServerError.inaccessible(path: folder.file("db"), reason: "the database is damaged")) {
            try SQLiteEventStore(path: folder.file("db"))
        }
    }

    @Test("a database of the version before gets a collection for each app, with the columns that its events use")
    func migration() async throws {
        let folder = try TestFolder.made()
        var devices: [SampleDevice] = []
        for (number, metadata) in [["a": "1", "b": "2"], ["b": "3", "c d": "4"], [:]].enumerated() {
            var device = SampleDevice(UInt32(number + 1))
            device.record(device.event("x", metadata: try EventMetadata(metadata)))
            device.record(device.event("y"))
            devices.append(device)
        }
        let owners = ["ward-app", "lab", "plain"].map { EventOwner(app: $0, user: "1") }
        let before = try SQLiteEventStore(path: folder.file("db"))
        for (device, owner) in zip(devices, owners) { _ = try await before.accept(device.upload(1...2, owner: owner)) }
        try await DatabaseQueue.beside(folder.file("db"))
            .write { database in
                try database.execute(
                    sql: """
                        DROP TABLE CollectionColumn;
                        DROP TABLE Collection;
                        ALTER TABLE AuditEvent DROP COLUMN daybook_receipt;
                        DELETE FROM grdb_migrations WHERE identifier IN ('2 collection of each app', '7 receipts');
                        INSERT INTO EventOwner (app, user) VALUES ('nobody', '1');
                        """
                )
            }

        let store = try SQLiteEventStore(path: folder.file("db"))

        #expect(try await store.collections() == ["lab", "plain", "ward-app"])
        #expect(try await store.metadataColumns(of: "ward-app").map { Set($0) } == ["a", "b"])
        #expect(try await store.metadataColumns(of: "lab").map { Set($0) } == ["b", "c d"])
        #expect(try await store.metadataColumns(of: "plain") == [])
        let page = try await store.events(EventFilter(), after: nil, limit: 10, maximumBytes: 1_000_000)
        #expect(page.events.compactMap(\.event) == devices.flatMap(\.events))
        #expect(page.events.allSatisfy { $0.mark == .unsigned }, "nothing was signed of them")
    }

    @Test("apps share the column of a key that both have")
    func sharedColumns() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteEventStore(path: folder.file("db"))
        try await store.extendCollection(of: "ward-app", by: ["userId", "shift"])
        try await store.extendCollection(of: "lab", by: ["sample", "userId"])

        let names = try await DatabaseQueue.beside(folder.file("db"))
            .read { try String.fetchAll($0, sql: "SELECT name FROM MetadataColumn ORDER BY ordinal") }

        #expect(names == ["userId", "shift", "sample"])
    }

    @Test("metadata is stored in columns that SQL can name")
    func columnNames() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteEventStore(path: folder.file("db"))
        var device = SampleDevice()
        device.record(
            device.event("a", metadata: try EventMetadata(["userId": "n1", "x'; DROP TABLE AuditEvent": "2"]))
        )
        _ = try await store.accept(device.upload(1...1))

        let row = try DatabaseQueue.beside(folder.file("db"))
            .read { database in
                try Row.fetchOne(database, sql: "SELECT userId, metadata_2 FROM AuditEvent WHERE activity = 'a'")
            }

        #expect(row?["userId"] == "n1")
        #expect(row?["metadata_2"] == "2")
    }
}
