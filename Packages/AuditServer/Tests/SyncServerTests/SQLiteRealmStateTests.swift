import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import GRDB
import Testing

@testable import SQLiteStore
@testable import SyncServer

@Suite("The state of a realm in a database")
struct SQLiteRealmStateTests {
    #if DEBUG
    private static let seeds: UInt64 = 100
    #else
    private static let seeds: UInt64 = 1000
    #endif

    @Test("random work has the entries and the state that it has in memory, also when the store is opened again")
    func randomWork() async throws {
        let folder = try TestFolder.made()
        let path = folder.file("sync.sqlite")
        var store = try SQLiteChangeStore(path: path)
        for seed in 1...Self.seeds {
            var work = try await ComparedWork(seed: seed, in: store)
            for commits in OfflineWork(seed: seed).rounds {
                let base = work.memory.head
                for commit in commits {
                    let (upload, expected) = try work.take(commit, base: base)
                    let outcomes = await store.take([upload], in: work.realm, received: .sample)
                    let stored = try #require(outcomes.first).get().entries

                    #expect(stored.map(\.bytes) == [expected], "seed \(seed)")
                    guard seed.isMultiple(of: 5) else { continue }
                    try store.pool.close()
                    store = try SQLiteChangeStore(path: path)
                }
            }
            guard try await work.isEqual(to: store) else { return }
        }
    }

    @Test(
        "changes that share a transaction have the same entries, however much is remembered",
        arguments: [0, 5, SQLiteRealmState.rememberedRows]
    )
    func oneTransaction(rememberedRows: Int) async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(
            path: folder.file("sync.sqlite"),
            rememberedRows: rememberedRows,
            beforeCommit: {}
        )
        for seed in 1...Self.seeds {
            var work = try await ComparedWork(seed: seed, in: store)
            for commits in OfflineWork(seed: seed).rounds {
                let base = work.memory.head
                let taken = try commits.map { try work.take($0, base: base) }
                let outcomes = await store.take(taken.map(\.upload), in: work.realm, received: .sample)

                #expect(
                    try outcomes.flatMap { try $0.get().entries.map(\.bytes) } == taken.map(\.entry),
                    "seed \(seed)"
                )
            }
            guard try await work.isEqual(to: store) else { return }
        }
    }

    @Test("no statement looks along a table or sorts", arguments: RealmStatement.allCases)
    func plans(kind: RealmStatement) async throws {
        let plan = try await plan(of: kind.sql)

        #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
        #expect(plan.isEmpty == kind.sql.hasPrefix("INSERT"))
    }

    @Test("objects and their cells are read in order as they lie")
    func planOfObjects() async throws {
        let plan = try await plan(of: PlainObjectReading.rows)

        #expect(plan.count == 2 && plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
    }

    private func plan(of sql: String) async throws -> [String] {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"))
        return try await store.pool.read { database in
            let statement = try PreparedStatement("EXPLAIN QUERY PLAN \(sql)", in: database)
            defer { statement.reset() }
            var plan: [String] = []
            while try statement.step() { plan.append(statement.text(3) ?? "") }
            return plan
        }
    }
}

extension SQLiteChangeStore {
    /// Looks at the state of a realm at one moment.
    func withState<Value: Sendable>(
        of realm: RealmName,
        _ body: @escaping @Sendable (SQLiteRealmState) throws -> Value
    ) async throws -> Value {
        try await pool.read { database in
            let row = try #require(try RealmRow.find(realm, in: database))
            let state = SQLiteRealmState(realm: row.number, head: row.status.head, in: database)
            let value = try body(state)
            if let failure = state.failure { throw failure }
            return value
        }
    }
}

/// The work of a seed, done in memory first, to be compared with what a store makes of it.
private struct ComparedWork {
    let realm: RealmName
    private let seed: UInt64
    private(set) var memory = InMemoryRealmState()
    private var files: [SampleRealmFile] = []

    init(seed: UInt64, in store: SQLiteChangeStore) async throws {
        self.seed = seed
        realm = RealmName.sample(ExactText("i_\(seed)"))
        for _ in 1...4 { files.append(try await SampleRealmFile(boundTo: realm, in: store)) }
    }

    /// Takes a commit in memory, and returns it for the store with the bytes of its entry.
    mutating func take(_ commit: OfflineWork.Commit, base: Int) throws -> (upload: ChangeUpload, entry: [UInt8]) {
        let change = Change(
            number: memory.progress(of: commit.file).acknowledged + 1,
            base: base,
            clock: commit.clock,
            operations: commit.operations
        )
        let upload = try files[Int(commit.file) - 1].upload([change])
        let digest = try #require(upload.digests.first)
        let entry = try memory.accept(change, of: commit.file, user: 1, received: .sample, digest: digest)
        return (upload, try #require(entry).encoded)
    }

    /// Whether a store has the state that memory has; an issue is recorded if not.
    func isEqual(to store: SQLiteChangeStore) async throws -> Bool {
        let expected = RealmStateReport(memory, of: memory.objects)
        let objects = memory.objects
        let found = try await store.withState(of: realm) { RealmStateReport($0, of: objects) }
        #expect(found == expected, "seed \(seed)")
        // Most objects are read without the rules, and make the same.
        let living = objects.filter { memory.existence(of: $0).isAlive }.sorted()
        let page = try await store.objects(of: realm, after: nil, maximumBytes: .max).objects
        #expect(page.map(\.address) == living, "seed \(seed)")
        #expect(page.map(\.literals) == living.map { memory.snapshot(of: $0) }, "seed \(seed)")
        return found == expected
    }
}
