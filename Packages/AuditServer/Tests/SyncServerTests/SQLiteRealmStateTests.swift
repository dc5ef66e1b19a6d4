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
            let realm = RealmName.sample(ExactText("i_\(seed)"))
            var memory = InMemoryRealmState()
            var files: [SampleRealmFile] = []
            for _ in 1...4 { files.append(try await SampleRealmFile(boundTo: realm, in: store)) }
            for commits in OfflineWork(seed: seed).rounds {
                let base = memory.head
                for commit in commits {
                    let change = Change(
                        number: memory.progress(of: commit.file).acknowledged + 1,
                        base: base,
                        clock: commit.clock,
                        operations: commit.operations
                    )
                    let upload = try files[Int(commit.file) - 1].upload([change])
                    let digest = try #require(upload.digests.first)
                    let entry = try memory.accept(change, of: commit.file, user: 1, received: .sample, digest: digest)
                    let outcomes = await store.take([upload], in: realm, received: .sample)
                    let stored = try #require(outcomes.first).get().entries

                    #expect(stored.map(\.bytes) == [entry?.encoded], "seed \(seed)")
                    guard seed.isMultiple(of: 5) else { continue }
                    try store.pool.close()
                    store = try SQLiteChangeStore(path: path)
                }
            }
            let expected = RealmStateReport(memory, of: memory.objects)
            let objects = memory.objects
            let found = try await store.withState(of: realm) { RealmStateReport($0, of: objects) }

            #expect(found == expected, "seed \(seed)")
            guard found == expected else { return }
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
            let realm = RealmName.sample(ExactText("i_\(seed)"))
            var memory = InMemoryRealmState()
            var files: [SampleRealmFile] = []
            for _ in 1...4 { files.append(try await SampleRealmFile(boundTo: realm, in: store)) }
            for commits in OfflineWork(seed: seed).rounds {
                let base = memory.head
                var uploads: [ChangeUpload] = []
                var expected: [[UInt8]] = []
                for commit in commits {
                    let change = Change(
                        number: memory.progress(of: commit.file).acknowledged + 1,
                        base: base,
                        clock: commit.clock,
                        operations: commit.operations
                    )
                    let upload = try files[Int(commit.file) - 1].upload([change])
                    let digest = try #require(upload.digests.first)
                    let entry = try memory.accept(change, of: commit.file, user: 1, received: .sample, digest: digest)
                    uploads.append(upload)
                    expected.append(try #require(entry).encoded)
                }
                let outcomes = await store.take(uploads, in: realm, received: .sample)

                #expect(try outcomes.flatMap { try $0.get().entries.map(\.bytes) } == expected, "seed \(seed)")
            }
            let expected = RealmStateReport(memory, of: memory.objects)
            let objects = memory.objects
            let found = try await store.withState(of: realm) { RealmStateReport($0, of: objects) }

            #expect(found == expected, "seed \(seed)")
            guard found == expected else { return }
        }
    }

    @Test("no statement looks along a table or sorts", arguments: RealmStatement.allCases)
    func plans(kind: RealmStatement) async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"))

        let plan = try await store.pool.read { database in
            let statement = try PreparedStatement("EXPLAIN QUERY PLAN \(kind.sql)", in: database)
            defer { statement.reset() }
            var plan: [String] = []
            while try statement.step() { plan.append(statement.text(3) ?? "") }
            return plan
        }

        #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
        #expect(plan.isEmpty == kind.sql.hasPrefix("INSERT"))
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
