import AuditServer
import AuditServerTesting
import EventModel
import EventProofs
import Foundation
import GRDB
import Testing

@Suite("Event stores")
struct EventStoreTests {
    @Test("the store in memory keeps the contract")
    func inMemory() async throws {
        let broken = try await EventStoreConformance { InMemoryEventStore(addsColumns: $0) }.violations()

        #expect(broken == [])
    }

    @Test("the SQLite store keeps the contract")
    func sqlite() async throws {
        let folder = try TemporaryFolder()

        let broken = try await EventStoreConformance { addsColumns in
            try SQLiteEventStore(path: folder.file("\(UUID().uuidString).sqlite"), addsColumns: addsColumns)
        }
        .violations()

        #expect(broken == [])
    }

    @Test("a store that is opened again has everything and goes on")
    func reopening() async throws {
        let folder = try TemporaryFolder()
        var device = SampleDevice()
        device.record(device.event("a", metadata: try EventMetadata(["shift": "early"])))
        device.record(["b", "c"])
        let before = try await SQLiteEventStore(path: folder.file("db"), addsColumns: true).accept(device.upload(1...2))

        let store = try SQLiteEventStore(path: folder.file("db"), addsColumns: false)
        let again = try await store.accept(device.upload(1...2))
        let after = try await store.accept(device.upload(3...3, seal: device.seal()))

        #expect(again == before)
        #expect(after.durableThrough == 3)
        #expect(after.root == device.frontier(through: 3).root)
        #expect(try await store.metadataColumns() == ["shift"])
    }

    @Test("only the owner may read the database and its log")
    func permissions() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventStore(path: folder.file("db"), addsColumns: true)
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
        let folder = try TemporaryFolder()
        try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: folder.file("db")))

        #expect(throws: AuditServerError.inaccessible(path: folder.file("db"), reason: "the database is damaged")) {
            try SQLiteEventStore(path: folder.file("db"), addsColumns: true)
        }
    }

    @Test("metadata is stored in columns that SQL can name")
    func columnNames() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventStore(path: folder.file("db"), addsColumns: true)
        var device = SampleDevice()
        device.record(
            device.event("a", metadata: try EventMetadata(["userId": "n1", "x'; DROP TABLE AuditEvent": "2"]))
        )
        _ = try await store.accept(device.upload(1...1))

        let row = try DatabaseQueue(path: folder.file("db"))
            .read { database in
                try Row.fetchOne(database, sql: "SELECT userId, metadata_2 FROM AuditEvent WHERE activity = 'a'")
            }

        #expect(row?["userId"] == "n1")
        #expect(row?["metadata_2"] == "2")
    }
}
