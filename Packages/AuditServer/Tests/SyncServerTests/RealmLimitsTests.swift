import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import GRDB
import SyncServer
import Testing

@testable import SQLiteStore

@Suite("How much a realm may hold")
struct RealmLimitsTests {
    private static let person = ObjectAddress.sample()

    @Test("no more objects are created than may live, until one is deleted")
    func objects() async throws {
        let folder = try TestFolder.made()
        let limits = RealmLimits(objects: 2)
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"), limits: limits)
        var file = try await SampleRealmFile(in: store)
        let objects = (1...4).map { ObjectAddress.sample($0) }

        let results = try await store.results(of: file.upload(objects.prefix(3).map { [$0.create()] }))
        let later = try await store.results(of: file.upload([[objects[0].delete()], [objects[3].create()]], base: 3))

        #expect(results == [.asSent, .asSent, .refused(.tooLarge)])
        #expect(later == [.asSent, .asSent])
        #expect(try await store.status(of: .sample())?.objects == 2)
    }

    @Test("what is posted has a limit of its own, which ends the posting and nothing else")
    func posted() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"), limits: RealmLimits(postedBytes: 10))
        var file = try await SampleRealmFile(in: store)
        let operations = ["{}", #"{"a":"xxxxxx"}"#, "{}"].enumerated()
            .map { ChangeOperation(.sample(Int64($0), of: "Reading"), .post(ExactText($1))) }

        let results = try await store.results(of: file.upload([operations]))
        let later = try await store.results(of: file.upload([[operations[1]], [Self.person.create()]], base: 1))

        #expect(results == [.asSent, .refused(.tooLarge), .asSent])
        #expect(later == [.refused(.tooLarge), .asSent])
        #expect(try await store.status(of: .sample())?.postedBytes == 4)
    }

    @Test("a realm that is full takes what removes, and nothing that adds")
    func bytes() async throws {
        let folder = try TestFolder.made()
        let limits = RealmLimits(contentBytes: 1000)
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"), limits: limits)
        var file = try await SampleRealmFile(in: store)
        let long = ExactText(String(repeating: "x", count: 1000))
        let first = try file.upload([[Self.person.create(["name": .string(long)]), Self.person.insert(1, 5)]])

        let results = try await store.results(of: first)
        let full = try file.upload(
            [
                [
                    Self.person.set("n", 1), Self.person.insert(2, 5), Self.person.remove(1),
                    Self.person.set("name", .null),
                ]
            ],
            base: 1
        )
        let whenFull = try await store.results(of: full)
        let afterwards = try await store.results(of: file.upload([[Self.person.set("n", 1)]], base: 2))

        #expect(results == [.asSent, .asSent])
        #expect(whenFull == [.refused(.tooLarge), .refused(.tooLarge), .asSent, .asSent])
        #expect(afterwards == [.asSent])
    }

    @Test("no object grows beyond what a page can hold, in one change or in many, until something of it is removed")
    func object() async throws {
        let folder = try TestFolder.made()
        let path = folder.file("sync.sqlite")
        let limits = RealmLimits(objectBytes: 5000)
        var store = try SQLiteChangeStore(path: path, limits: limits)
        var file = try await SampleRealmFile(in: store)
        let other = ObjectAddress.sample(2)
        func text(_ count: Int) -> CellValue { .string(ExactText(String(repeating: "x", count: count))) }

        let created = try await store.results(of: file.upload([[Self.person.create(), other.create()]]))
        let inOne = try await store.results(
            of: file.upload(
                [(1...4).map { ChangeOperation(Self.person, .set(CellPath(ExactText("p\($0)")), text(1500))) }],
                base: 1
            )
        )
        store = try SQLiteChangeStore(path: path, limits: limits)
        let afterwards = try await store.results(
            of: file.upload(
                [
                    [Self.person.set("p4", text(1500))], [other.set("p1", text(1500))],
                    [Self.person.set("p1", .null), Self.person.set("n", 1)],
                ],
                base: 2
            )
        )
        let whenSmaller = try await store.results(of: file.upload([[Self.person.set("p4", text(1500))]], base: 5))
        let many = try await store.results(
            of: file.upload((1...300).map { [other.insert($0, 5)] }, base: 6)
        )

        #expect(created == [.asSent, .asSent])
        #expect(inOne == [.asSent, .asSent, .asSent, .refused(.tooLarge)])
        #expect(afterwards == [.refused(.tooLarge), .asSent, .asSent, .asSent])
        #expect(whenSmaller == [.asSent])
        #expect(
            many.prefix(30).allSatisfy { $0 == .asSent } && many.suffix(200).allSatisfy { $0 == .refused(.tooLarge) }
        )
        let page = try await store.objects(of: .sample(), after: nil, maximumBytes: .max)
        #expect(page.objects.count == 2)
        let stored = try await store.pool.read { database in
            try Int.fetchAll(database, sql: "SELECT bytes FROM SyncObject ORDER BY object")
        }
        let counted = try await store.pool.read { database in
            try Int.fetchAll(
                database,
                sql: "SELECT sum(length(path) + length(cell)) FROM SyncCell GROUP BY object ORDER BY object"
            )
        }
        #expect(stored == counted)
        #expect(counted.allSatisfy { $0 < 5500 })
    }

    @Test("a change that sets off more than an entry may hold is refused with its upload, and stops nobody else")
    func entry() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"), limits: RealmLimits(entryBytes: 1000))
        var (file, other) = (try await SampleRealmFile(in: store), try await SampleRealmFile(in: store))
        let links = (2...100).map { ObjectAddress.sample(Int64($0)) }
        _ = try await store.results(of: file.upload([[Self.person.create()]]))
        _ = try await store.results(
            of: file.upload(links.map { [$0.create(["friend": .link(Self.person)])] }, base: 1)
        )
        let head = try #require(try await store.status(of: .sample())?.head)

        let deletion = try file.upload([[Self.person.delete()]], base: head)
        let change = try other.upload([[links[0].set("n", 1)]], base: head)
        let taken = await store.take([deletion, change], in: .sample(), received: .sample)

        #expect(taken[0] == .failure(.entryTooLarge(change: 101, limit: 1000)))
        #expect(try taken[1].get().entries.count == 1)
        #expect(try await store.status(of: .sample())?.head == head + 1)
        #expect(try await store.objects(of: .sample(), after: nil, maximumBytes: .max).objects.count == 100)
    }

    @Test("what the rights of a user refuse is refused, and taken note of in the entry")
    func judge() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteChangeStore(path: folder.file("sync.sqlite"))
        var file = try await SampleRealmFile(in: store)
        let upload = try file.upload([[Self.person.create(), Self.person.set("dose", 1)]]) { _, _, operation in
            operation.path == "dose" ? .field(rule: 7) : nil
        }

        #expect(try await store.results(of: upload) == [.asSent, .refused(.field(rule: 7))])
    }
}

extension ChangeStore {
    /// Takes an upload and returns what became of all its operations.
    fileprivate func results(of upload: ChangeUpload) async throws -> [OperationResult] {
        let outcomes = await take([upload], in: .sample(), received: .sample)
        return try outcomes.flatMap { try $0.get().entries.flatMap { try Entry(bytes: $0.bytes).results } }
    }
}
