import AuditModel
import AuditServerTesting
import AuditVerifying
import DaybookCommand
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import GRDB
import SQLiteStore
import Testing

@Suite("Erasure by key destruction")
struct ErasureTests {
    private static let act = LegalHold.Act(by: "t", at: SampleDevice.received, reason: "r")

    private static func order() -> ErasureOrder {
        ErasureOrder(kind: .request, begun: act, filter: KeepingFilter(person: "p"))
    }

    /// A device whose payloads and metadata can be told from everything else in a file.
    private static func device(_ number: UInt32 = 1, count: Int) throws -> SampleDevice {
        var device = SampleDevice(number)
        for index in 1...count {
            let secret = "secret-of-\(number)-\(index)-"
            let data = #"{"value":["\#(String(repeating: secret, count: index.isMultiple(of: 7) ? 400 : 3))"]}"#
            device.record(device.event("work", data: data, metadata: try EventMetadata(["who": "meta-\(secret)"])))
        }
        return device
    }

    private static func everything(_ store: any AuditStore) async throws -> [StoredEvent] {
        let filter = EventFilter(includesRepeated: true)
        return try await store.events(filter, after: nil, limit: 10_000, maximumBytes: 100_000_000).events
    }

    /// The bytes of the database and of the log beside it.
    private static func bytes(_ path: String) throws -> Data {
        ["", "-wal"].map { FileManager.default.contents(atPath: path + $0) ?? Data() }.reduce(Data(), +)
    }

    private static func erase(_ sequences: [UInt64], of device: SampleDevice, in store: any AuditStore) async throws {
        let erasure = try await store.begin(order()).number
        _ = try await store.erase(
            sequences.map { EventAddress(partition: device.partition, sequence: $0) },
            for: erasure
        )
        _ = try await store.finish(erasure)
    }

    @Test(
        "after any erasures every other event is proven, and what went is in no byte of the files",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func anyErasures(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TestFolder.made()
        let path = folder.file("db")
        let store = try SQLiteEventStore(path: path)
        let device = try Self.device(count: 60)
        var first = 1
        while first <= 60 {
            let last = min(60, first + Int.random(in: 0...40, using: &random))
            let seal = last == 60 ? try device.seal() : nil
            _ = try await store.accept(device.upload(first...last, seal: seal))
            first = last + 1
        }
        let (sealed, keys) = try await DatabaseQueue.beside(path)
            .read { database in
                (
                    try Data.fetchAll(database, sql: "SELECT data FROM AuditEvent ORDER BY daybook_sequence"),
                    try Data.fetchAll(database, sql: "SELECT keys FROM PayloadKey ORDER BY first").reduce(Data(), +)
                )
            }
        var gone: Set<UInt64> = []
        for _ in 1...3 {
            let some = (0..<Int.random(in: 1...25, using: &random))
                .map { _ in UInt64.random(in: 1...60, using: &random) }
            try await Self.erase(some, of: device, in: store)
            gone.formUnion(some)
        }

        let reopened = try SQLiteEventStore(path: path)
        let events = try await Self.everything(reopened)
        let record = try #require(try await reopened.partition(device.partition))
        let leaves = try await reopened.leaves(of: device.partition, 1...60)
        let file = try Self.bytes(path)
        for stored in events {
            let index = Int(stored.sequence) - 1
            let isGone = gone.contains(stored.sequence)
            #expect((stored.erasure != nil) == isGone)
            #expect(stored.event == (isGone ? nil : device.events[index]))
            var builder = InclusionProofBuilder(index: stored.sequence - 1, count: record.count)
            for leaf in leaves { builder.append(leaf) }
            let proof = try #require(builder.proof)
            #expect(proof.verify(leaf: MerkleHash.leaf(device.events[index].encoded), root: record.root))

            let secret = Data("secret-of-1-\(index + 1)-".utf8)
            #expect((file.range(of: secret) == nil) == isGone, "metadata \(index)")
            let key = keys[(keys.startIndex + index * 16)..<(keys.startIndex + index * 16 + 16)]
            #expect((file.range(of: key) == nil) == isGone, "key \(index)")
            #expect((file.range(of: sealed[index].prefix(40)) == nil) == isGone, "payload \(index)")
        }
        var audit = PartitionAudit(partition: device.partition)
        for stored in events { audit.add(StoredLeaf(stored)) }
        audit.finish(count: record.count, root: record.root, seal: record.seal)
        #expect(audit.problems == [])
        #expect(audit.erasedCount == UInt64(gone.count))
    }

    @Test(
        "what nobody wrote down is damage and no erasure",
        arguments: [
            "UPDATE PayloadKey SET keys = zeroblob(length(keys))", "DELETE FROM PayloadKey",
            "UPDATE AuditEvent SET daybook_erased = 1", "UPDATE AuditEvent SET daybook_erased = 77",
            "UPDATE AuditEvent SET data = zeroblob(length(data))",
        ]
    )
    func damage(change: String) async throws {
        let folder = try TestFolder.made()
        let device = try Self.device(count: 3)
        let store = try SQLiteEventStore(path: folder.file("db"))
        _ = try await store.accept(device.upload(1...3))
        try await Self.erase([2], of: device, in: store)
        try await DatabaseQueue.beside(folder.file("db")).write { try $0.execute(sql: change) }

        let events = try await Self.everything(store)

        #expect(events.filter { $0.sequence != 2 }.map(\.outcome) == [.damaged, .damaged])
        var audit = PartitionAudit(partition: device.partition)
        for stored in events { audit.add(StoredLeaf(stored)) }
        #expect(audit.problems.first?.hasSuffix("the columns of event 1 no longer make up an event.") == true)
        let erasure = try await store.begin(Self.order()).number
        let step = try await store.erase(
            [EventAddress(partition: device.partition, sequence: 1)],
            for: erasure
        )
        #expect(step.erased == 0)
        #expect(step.damaged == 1)
    }

    @Test("an erased event that loses the record of its erasure is damage")
    func lostRecord() async throws {
        let folder = try TestFolder.made()
        let device = try Self.device(count: 2)
        let store = try SQLiteEventStore(path: folder.file("db"))
        _ = try await store.accept(device.upload(1...2))
        try await Self.erase([2], of: device, in: store)
        try await DatabaseQueue.beside(folder.file("db")).write { try $0.execute(sql: "DELETE FROM ErasedRange") }

        #expect(try await Self.everything(store).map(\.outcome) == [.complete, .damaged])
    }

    @Test("events of a database without keys stay readable, and can be erased")
    func migration() async throws {
        let folder = try TestFolder.made()
        let path = folder.file("db")
        let device = try Self.device(count: 20)
        _ = try await SQLiteEventStore(path: path).accept(device.upload(1...20))
        try await DatabaseQueue.beside(path)
            .write { database in
                for (index, event) in device.events.enumerated() {
                    try database.execute(
                        sql: "UPDATE AuditEvent SET data = ? WHERE daybook_sequence = ?",
                        arguments: [event.dataText, index + 1]
                    )
                }
                try database.execute(
                    sql: """
                        ALTER TABLE AuditEvent DROP COLUMN daybook_erased;
                        DROP TABLE PayloadKey; DROP TABLE Erasure; DROP TABLE ErasedRange; DROP TABLE LegalHold;
                        DELETE FROM grdb_migrations WHERE identifier = '4 keys, holds and erasures';
                        """
                )
            }
        // What is left between rows by taking the column away is no matter of an erasure.
        try await DatabaseQueue.beside(path).writeWithoutTransaction { try $0.execute(sql: "VACUUM") }

        let store = try SQLiteEventStore(path: path)
        #expect(try await Self.everything(store).compactMap(\.event) == device.events)
        try await Self.erase([7, 8], of: device, in: store)

        let file = try Self.bytes(path)
        #expect(file.range(of: Data("secret-of-1-7-".utf8)) == nil)
        #expect(file.range(of: Data("secret-of-1-8-".utf8)) == nil)
        #expect(file.range(of: Data("secret-of-1-9-".utf8)) != nil)
        #expect(try await Self.everything(store).map { $0.erasure == nil }.count(where: { !$0 }) == 2)
    }

    // MARK: - Backups

    @Test("a copy of the events opens with its own file of keys, which is taken up once")
    func restoring() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        let device = try Self.device(count: 20)
        _ = try await SQLiteEventStore(path: data.databasePath).accept(device.upload(1...20))

        let backup = try data.backUp(to: folder.file("copy"))
        let copy = try DataFolder(folder.file("copy"))
        #expect(backup.files.contains("events.sqlite.keys"))
        let restored = try SQLiteEventStore(path: copy.databasePath)

        #expect(try await Self.everything(restored).compactMap(\.event) == device.events)
        #expect(!FileManager.default.fileExists(atPath: copy.databasePath + ".keys"))
        _ = try SQLiteEventStore(path: copy.databasePath)
    }

    @Test("a copy of the events holds no key, and is refused without one")
    func copyWithoutKeys() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        let device = try Self.device(count: 20)
        _ = try await SQLiteEventStore(path: data.databasePath).accept(device.upload(1...20))
        let keys = try await DatabaseQueue.beside(data.databasePath)
            .read { try Data.fetchOne($0, sql: "SELECT keys FROM PayloadKey") ?? Data() }
        _ = try data.backUp(to: folder.file("copy"))
        let path = try DataFolder(folder.file("copy")).databasePath
        #expect(try Self.bytes(path).range(of: keys.prefix(16)) == nil)
        try FileManager.default.removeItem(atPath: path + ".keys")

        #expect(throws: AuditServerError.self) { try SQLiteEventStore(path: path) }
    }

    @Test("an older copy of the events with the newest keys brings nothing back that was erased since")
    func olderCopy() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        let device = try Self.device(count: 20)
        let store = try SQLiteEventStore(path: data.databasePath)
        _ = try await store.accept(device.upload(1...20, seal: device.seal()))
        _ = try data.backUp(to: folder.file("old"))
        try await Self.erase([3, 4, 5, 14], of: device, in: store)
        _ = try await store.placeHold("case", on: KeepingFilter(app: "a"), Self.act)
        _ = try data.backUp(to: folder.file("new"))
        let path = try DataFolder(folder.file("old")).databasePath
        try FileManager.default.removeItem(atPath: path + ".keys")
        try FileManager.default.copyItem(
            atPath: DataFolder(folder.file("new")).databasePath + ".keys",
            toPath: path + ".keys"
        )

        let restored = try SQLiteEventStore(path: path)

        let events = try await Self.everything(restored)
        #expect(events.filter { $0.erasure != nil }.map(\.sequence) == [3, 4, 5, 14])
        #expect(events.compactMap(\.event).count == 16)
        #expect(try await restored.holds() == store.holds())
        #expect(try await restored.erasures(after: 0, limit: 9) == store.erasures(after: 0, limit: 9))
        #expect(try Self.bytes(path).range(of: Data("secret-of-1-14-".utf8)) == nil)
        var audit = PartitionAudit(partition: device.partition)
        for stored in events { audit.add(StoredLeaf(stored)) }
        let record = try #require(try await restored.partition(device.partition))
        audit.finish(count: record.count, root: record.root, seal: record.seal)
        #expect(audit.problems == [])
    }
}
