import AuditModel
import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Foundation
import GRDB
import Synchronization
import Testing

@testable import SQLiteStore
@testable import SyncServer

@Suite("Synced realms in a database")
struct SQLiteChangeStoreTests {
    private struct Breakdown: Error {}

    private static let person = ObjectAddress.sample()

    @Test("nobody but its owner may read the database")
    func permissions() throws {
        let folder = try TestFolder.made()
        let path = folder.file("sync.sqlite")

        _ = try SQLiteChangeStore(path: path)

        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("a file that is no database is told with its path and left alone")
    func noDatabase() throws {
        let folder = try TestFolder.made()
        let path = folder.file("sync.sqlite")
        let text = Data(repeating: UInt8(ascii: "x"), count: 5000)
        try text.write(to: URL(filePath: path))

        #expect(throws: AuditServerError.inaccessible(path: path, reason: "the database is damaged")) {
            try SQLiteChangeStore(path: path)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == text)
    }

    @Test("a salt does not lie in the database")
    func salt() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"))
        let file = try await SampleRealmFile(in: store)

        let salts = try await store.pool.read { try Data.fetchAll($0, sql: "SELECT salt FROM SyncFile") }

        #expect(salts.map { Array($0) } == [FileLedger.hash(file.bound.salt ?? []).bytes])
    }

    /// SQLite reads what lies behind a large value through all of its pages: the time of a first entry of 700 KB cost each later change 0.1 ms.
    @Test("nothing lies behind what can be large")
    func largeIsLast() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"))

        let last = try await store.pool.read { database in
            try ["SyncSchemaOf", "SyncEntry", "SyncUpload", "SyncPosted", "SyncCell"]
                .map { try database.columns(in: $0).last?.name }
        }

        #expect(last == ["schema", "entry", "uploaded", "document", "cell"])
    }

    @Test("a database with its times behind the entries has the same entries and times when it is opened")
    func timesBehindEntries() async throws {
        let folder = try TestFolder.made()
        let path = folder.file("sync.sqlite")
        let before = SQLiteChangeStore.entriesWithTimes
        var file: SampleRealmFile
        let known: [[String]]
        do {
            let store = try SQLiteChangeStore(path: path)
            file = try await SampleRealmFile(in: store)
            let upload = try file.upload([[Self.person.create(["n": 1])], [Self.person.set("n", 2)]])
            _ = try await store.take([upload], in: .sample(), received: .sample).first?.get()
            known = try await store.pool.read(before)
            try await store.pool.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE Former (
                            realm INTEGER NOT NULL,
                            number INTEGER NOT NULL,
                            entry BLOB NOT NULL,
                            latestClock INTEGER NOT NULL,
                            PRIMARY KEY (realm, number)
                        ) WITHOUT ROWID;
                        INSERT INTO Former SELECT realm, number, entry, latestClock FROM SyncEntry;
                        DROP TABLE SyncEntry;
                        ALTER TABLE Former RENAME TO SyncEntry;
                        DELETE FROM grdb_migrations WHERE identifier = '3 times before entries';
                        """
                )
            }
            try store.pool.close()
        }

        let store = try SQLiteChangeStore(path: path)

        #expect(try await store.pool.read(before) == known && known.count == 2)
        let next = try file.upload([[Self.person.set("n", 3)]], base: 2)
        #expect(try await store.take([next], in: .sample(), received: .sample).first?.get().head == 3)
    }

    @Test("a realm of an earlier version, which does not say when its oldest entry came, is asked for it")
    func unknownAge() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"))
        for (value, second) in [("s_old", 10), ("s_young", 30)] as [(ExactText, Int64)] {
            var file = try await SampleRealmFile(boundTo: .sample(value), in: store)
            let upload = try file.upload([[Self.person.create()]])
            let received = EventInstant(microseconds: second * 1_000_000)
            _ = try await store.take([upload], in: .sample(value), received: received).first?.get()
        }
        func old() async throws -> [ExactText] {
            let instant = EventInstant(microseconds: 20_000_000)
            return try await store.realms(of: "ward-app", withEntriesBefore: instant, after: nil, limit: 9).map(\.value)
        }
        #expect(try await old() == ["s_old"])

        try await store.pool.write { try $0.execute(sql: "UPDATE SyncRealm SET oldestReceived = NULL") }

        #expect(try await old() == ["s_old"])
    }

    @Test("an error before the commit leaves everything as it was, and the same upload is taken later")
    func errorBeforeCommit() async throws {
        let folder = try TestFolder.made()
        let fails = Mutex(false)
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite")) {
            if fails.withLock({ $0 }) { throw Breakdown() }
        }
        var file = try await SampleRealmFile(in: store)
        let first = try file.upload([[Self.person.create(["name": "a"])]])
        _ = await store.take([first], in: .sample(), received: .sample)
        let before = try await store.dump()
        let second = try file.upload([[Self.person.set("name", "b"), Self.person.insert(1, 5)]], base: 1)

        fails.withLock { $0 = true }
        let failed = await store.take([second], in: .sample(), received: .sample)
        let bound = await Result { try await SampleRealmFile(in: store, user: "bb") }
        let after = try await store.dump()
        fails.withLock { $0 = false }
        let taken = await store.take([second], in: .sample(), received: .sample)

        #expect(failed == [.failure(.unavailable(reason: "the database cannot be used"))])
        #expect(throws: SyncServerError.unavailable(reason: "the database cannot be used")) { try bound.get() }
        #expect(after == before)
        #expect(try taken.first?.get().acknowledged == 2)
    }

    @Test("an error of the database inside the rules undoes the upload, and hinders no other one")
    func errorInside() async throws {
        let folder = try TestFolder.made()
        let path = folder.file("sync.sqlite")
        let store = try SQLiteChangeStore(path: path)
        var file = try await SampleRealmFile(in: store)
        var other = try await SampleRealmFile(in: store)
        let first = try file.upload([[Self.person.create()]])
        _ = await store.take([first], in: .sample(), received: .sample)
        try await DatabaseQueue.beside(path)
            .write { database in
                try database.execute(
                    sql: "CREATE TRIGGER Refused BEFORE INSERT ON SyncPlace BEGIN SELECT RAISE(ABORT, 'no'); END"
                )
            }
        let before = try await store.dump()
        let broken = try file.upload([[Self.person.set("n", 1)], [Self.person.insert(1, 5)]], base: 1)
        let good = try other.upload([[Self.person.set("n", 2)]], base: 1)

        let alone = await store.take([broken], in: .sample(), received: .sample)
        let after = try await store.dump()
        let together = await store.take([broken, good], in: .sample(), received: .sample)

        let failure = SyncServerError.unavailable(reason: "the database answered with SQLite code 19")
        #expect(alone == [.failure(failure)])
        #expect(after == before)
        #expect(together.first == .failure(failure))
        #expect(try together.last?.get().entries.map(\.number) == [2])
    }

    @Test("the rows of a realm that was damaged are told as damage")
    func damage() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"))
        var file = try await SampleRealmFile(in: store)
        let first = try file.upload([[Self.person.create(["name": "a"])]])
        _ = await store.take([first], in: .sample(), received: .sample)
        try await store.pool.write { try $0.execute(sql: "UPDATE SyncCell SET cell = x'0102'") }
        let second = try file.upload([[Self.person.set("name", "b")]], base: 1)

        let outcome = await store.take([second], in: .sample(), received: .sample)

        #expect(outcome == [.failure(OrderedReader.damage)])
        await #expect(throws: OrderedReader.damage) {
            try await store.objects(of: .sample(), after: nil, maximumBytes: .max)
        }
    }

    @Test("what is counted of a realm is what lies in its tables")
    func counts() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"))
        for seed in 1...UInt64(20) {
            let realm = RealmName.sample(ExactText("i_\(seed)"))
            var files: [SampleRealmFile] = []
            for _ in 1...4 { files.append(try await SampleRealmFile(boundTo: realm, in: store)) }
            for commits in OfflineWork(seed: seed).rounds {
                let base = try await store.status(of: realm)?.head ?? 0
                for commit in commits {
                    let index = Int(commit.file) - 1
                    files[index].milliseconds = commit.clock.milliseconds
                    let upload = try files[index].upload([commit.operations], base: base)
                    _ = await store.take([upload], in: realm, received: .sample)
                }
            }
            let status = try #require(try await store.status(of: realm))
            let counted = try await store.counted(realm)

            #expect([status.objects, status.contentBytes, status.logBytes] == counted, "seed \(seed)")
        }
    }
}

// MARK: - Growth

extension SQLiteChangeStoreTests {
    @Test("inserting into the middle of a list takes no more steps for ten times the elements")
    func listGrowth() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"))
        let file = try await SampleRealmFile(in: store)

        let steps = try await store.pool.write { database in
            var work = try CountedWork(of: file, in: database)
            /// The steps of inserting before the element in the middle of so many.
            func steps(at count: Int) throws -> Int {
                try work.steps(of: [Self.person.insert(1_000_000 + count, 7, before: count / 2)])
            }
            _ = try work.steps(of: [Self.person.create()])
            _ = try work.steps(of: (1...1000).map { Self.person.insert($0, 1) })
            let small = try steps(at: 1000)
            _ = try work.steps(of: (1001...10_000).map { Self.person.insert($0, 1) })
            return (small: small, large: try steps(at: 10_000))
        }

        #expect(steps.small > 0)
        #expect(steps.large <= steps.small)
    }

    @Test("writing one property looks at one cell, however many its object and its realm have")
    func propertyGrowth() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"))
        let file = try await SampleRealmFile(in: store)

        let steps = try await store.pool.write { database in
            var work = try CountedWork(of: file, in: database)
            func steps(writing value: Int64) throws -> Int {
                try work.steps(of: [Self.person.set("name", .int(value))])
            }
            _ = try work.steps(of: [Self.person.create(["name": 1])])
            let small = try steps(writing: 2)
            _ = try work.steps(of: (1...2000).map { Self.person.set(CellPath(ExactText("p\($0)")), 1) })
            _ = try work.steps(of: (2...2000).map { ObjectAddress.sample($0).create(["name": 1]) })
            return (small: small, large: try steps(writing: 3))
        }

        #expect(steps.small > 0)
        #expect(steps.large <= steps.small)
    }
}

/// Changes of one file, and how many steps the database takes for each.
private struct CountedWork {
    private let file: SampleRealmFile
    private var state: SQLiteRealmState
    private var number = 0

    init(of file: SampleRealmFile, in database: Database) throws {
        self.file = file
        let row = try #require(try RealmRow.find(.sample(), in: database))
        state = SQLiteRealmState(realm: row.number, head: 0, in: database)
    }

    mutating func steps(of operations: [ChangeOperation]) throws -> Int {
        let before = state.statements.machineSteps
        number += 1
        let change = Change.sample(number: number, milliseconds: Int64(number), operations: operations)
        _ = try state.accept(change, of: file.bound.file, user: 1, received: .sample, digest: .sample)
        try state.flush()
        return state.statements.machineSteps - before
    }
}

extension SQLiteChangeStore {
    /// Every row of every table of realms, as text.
    fileprivate func dump() async throws -> [String] {
        try await pool.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_schema WHERE name LIKE 'Sync%' AND type = 'table'"
            )
            .flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
            }
        }
    }

    /// How many objects live in a realm, and how many bytes its cells and its log have, by looking at all rows.
    fileprivate func counted(_ realm: RealmName) async throws -> [Int] {
        try await pool.read { database in
            let number = try #require(try RealmRow.find(realm, in: database)).number
            let objects = "SELECT object FROM SyncObject JOIN SyncClass USING (class) WHERE realm = ?"
            return try [
                "SELECT count(*) FROM SyncObject JOIN SyncClass USING (class) WHERE realm = ? AND epoch & 1 = 1",
                "SELECT coalesce(sum(length(path) + length(cell)), 0) FROM SyncCell WHERE object IN (\(objects))",
                """
                SELECT (SELECT coalesce(sum(length(entry)), 0) FROM SyncEntry WHERE realm = ?1)
                + (SELECT coalesce(sum(length(uploaded)), 0) FROM SyncUpload WHERE realm = ?1)
                """,
            ]
            .map { try Int.fetchOne(database, sql: $0, arguments: [number]) ?? -1 }
        }
    }
}

extension Result where Failure == any Error {
    /// Awaits what a body returns or throws.
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

extension SQLiteChangeStore {
    /// The entries with their numbers and times.
    fileprivate static let entriesWithTimes: @Sendable (Database) throws -> [[String]] = { database in
        try Row.fetchAll(database, sql: "SELECT realm, number, latestClock, hex(entry) FROM SyncEntry")
            .map { row in row.databaseValues.map { "\($0)" } }
    }
}
