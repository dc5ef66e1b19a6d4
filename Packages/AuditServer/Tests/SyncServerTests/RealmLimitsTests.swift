import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import SQLiteStore
import SyncServer
import Testing

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
