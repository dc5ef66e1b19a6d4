import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Foundation
import GRDB
import Testing

@testable import SQLiteStore
@testable import SyncServer

/// What the store does beside SQLite's own writing of the same rows, with the same syncs; times mean something in release and alone.
@Suite("The rate of uploads", .serialized)
struct SyncRateTests {
    #if DEBUG
    private static let batches = 5
    #else
    private static let batches = 200
    #endif
    private static let changes = 200
    private static let objects = 1000

    @Test("every change of one property is taken, at a rate that is printed beside that of bare SQLite")
    func singleProperties() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"))
        var file = try await SampleRealmFile(in: store)
        let creations = (1...Self.objects).map { [ObjectAddress.sample(Int64($0)).create(["name": "a", "n": 1])] }
        let created = try file.upload(creations)
        _ = await store.take([created], in: .sample(), received: .sample)
        let batches = try (0..<Self.batches)
            .map { batch in
                try file.upload(
                    (0..<Self.changes)
                        .map { change in
                            let number = batch * Self.changes + change
                            let person = ObjectAddress.sample(Int64(number * 7919 % Self.objects) + 1)
                            return [person.set("n", .int(Int64(number)))]
                        },
                    base: Self.objects
                )
                .batch.bytes
            }

        var times: [Duration] = []
        for bytes in batches {
            let start = ContinuousClock.now
            let upload = try ChangeUpload(try SignedBatch(bytes: bytes), user: file.user)
            let outcomes = await store.take([upload], in: .sample(), received: .sample)
            _ = try outcomes.first?.get()
            times.append(ContinuousClock.now - start)
        }
        let taking = times.median
        let bare = try await BareRows(copying: store, in: folder, from: Self.objects)
        let same = try bare.time(writing: .allRows, transaction: Self.changes)
        let least = try bare.time(writing: .cellAndEntry, transaction: Self.changes)

        print(
            """
            \(Self.batches) batches of \(Self.changes) changes: \(Self.rate(taking)) changes/s; \
            bare SQLite with the same four rows \(Self.rate(same)) (\(Self.times(taking, same)) times), \
            with a row and a log row \(Self.rate(least)) (\(Self.times(taking, least)) times)
            """
        )
        #expect(try await store.status(of: .sample())?.head == Self.objects + Self.batches * Self.changes)
    }

    private static func rate(_ time: Duration) -> Int { Int(Double(changes) / (time / .seconds(1))) }

    private static func times(_ time: Duration, _ other: Duration) -> String { String(format: "%.2f", time / other) }
}

extension [Duration] {
    /// The time that half of them are not longer than, which the other work of a machine touches least.
    fileprivate var median: Duration { sorted()[count / 2] }
}

/// The rows that a store wrote, to be written once more by statements alone.
private struct BareRows {
    /// What is written of a change.
    enum Writing {
        case allRows
        case cellAndEntry
    }

    private struct Change {
        let entry: Int
        let bytes: [UInt8]
        let change: Int
        let uploaded: [UInt8]
        let object: Int64
    }

    private let folder: TestFolder
    private let changes: [Change]
    private let path = OrderedBytes.of("n" as CellPath)
    private let cell = RealmPacking.pack(Cell(stamp: Stamp(HybridClock(milliseconds: 1), file: 1, index: 0), value: 1))
    private let marks: [UInt8]

    init(copying store: SQLiteChangeStore, in folder: TestFolder, from first: Int) async throws {
        self.folder = folder
        changes = try await store.pool.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT number, SyncEntry.entry AS bytes, change, uploaded FROM SyncEntry \
                    JOIN SyncUpload ON SyncUpload.realm = SyncEntry.realm AND SyncUpload.entry = number \
                    WHERE number > ? ORDER BY number
                    """,
                arguments: [first]
            )
            .map { row in
                Change(
                    entry: row["number"],
                    bytes: Array(row["bytes"] as Data),
                    change: row["change"],
                    uploaded: Array(row["uploaded"] as Data),
                    object: (row["number"] as Int64) * 7919 % 1000 + 1
                )
            }
        }
        marks = try await store.pool.read {
            Array(try Data.fetchOne($0, sql: "SELECT marks FROM SyncObject") ?? Data())
        }
    }

    /// Returns the time of one transaction.
    func time(writing: Writing, transaction count: Int) throws -> Duration {
        let store = try SQLiteChangeStore(path: folder.file("\(UUID().uuidString).sqlite"))
        try store.pool.write { database in
            try database.execute(
                sql: """
                    INSERT INTO SyncRealm VALUES (1, 'ward-app', 's_ward-1', x'00', 0, 0, 0, 0, 0, 0, 0, NULL);
                    INSERT INTO SyncClass VALUES (1, 1, 'Person');
                    """
            )
            for object in 1...1000 {
                try database.execute(
                    sql: "INSERT INTO SyncObject (object, class, key, epoch, changed, marks) VALUES (?, 1, ?, 1, 1, ?)",
                    arguments: [object, Data(OrderedBytes.of(PrimaryKey.int(Int64(object)))), Data(marks)]
                )
                try database.execute(
                    sql: "INSERT INTO SyncCell (object, path, cell) VALUES (?, ?, ?)",
                    arguments: [object, Data(path), Data(cell)]
                )
            }
        }
        return try stride(from: 0, to: changes.count, by: count)
            .map { start in
                try ContinuousClock()
                    .measure {
                        try store.pool.write { database in
                            let statements = RealmStatements(database)
                            for change in changes[start..<min(start + count, changes.count)] {
                                try write(change, writing, statements)
                            }
                        }
                    }
            }
            .median
    }

    private func write(_ change: Change, _ writing: Writing, _ statements: RealmStatements) throws {
        try statements.run(.keepCell) { statement in
            try statement.bind(change.object, path)
            try statement.bind(cell, at: 3)
        }
        try statements.run(.addEntry) { statement in
            try statement.bind(1, at: 1)
            try statement.bind(change.entry, at: 2)
            try statement.bind(change.bytes, at: 3)
            try statement.bind(change.entry, at: 4)
        }
        guard writing == .allRows else { return }
        try statements.run(.addUpload) { statement in
            try statement.bind(1, at: 1)
            try statement.bind(1, at: 2)
            try statement.bind(change.change, at: 3)
            try statement.bind(change.entry, at: 4)
            try statement.bind(change.uploaded, at: 5)
        }
        try statements.run(.updateObject) { statement in
            try statement.bind(1, at: 1)
            try statement.bind(change.entry, at: 2)
            try statement.bind(marks, at: 3)
            try statement.bind(change.object, at: 4)
        }
    }
}
