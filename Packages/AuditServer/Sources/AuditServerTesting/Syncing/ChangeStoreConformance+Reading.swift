import ChangeModel
import ChangeModelTesting
import EventModel
import SyncServer

extension ChangeStoreConformance {
    func reading() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var file = try await SampleRealmFile(in: store)
        let person = ObjectAddress.sample()
        let upload = try file.upload([[person.create()]] + (1...9).map { [person.set("n", .int($0))] })
        _ = await store.take([upload], in: .sample(), received: .sample)
        let history = file.bound.realm.history
        let all = try await store.entries(of: .sample(), after: 0, history: history, maximumBytes: .max)
        rules.expect(all.entries.map(\.number) == Array(1...10) && all.head == 10, "all entries come in order")
        let some = try await store.entries(of: .sample(), after: 4, history: history, maximumBytes: .max)
        rules.expect(some.entries == Array(all.entries.dropFirst(4)), "entries behind a number come")
        let bytes = all.entries.prefix(3).reduce(0) { $0 + $1.bytes.count }
        let bounded = try await store.entries(of: .sample(), after: 0, history: history, maximumBytes: bytes)
        rules.expect(bounded.entries == Array(all.entries.prefix(3)), "as many entries come as have so many bytes")
        let one = try await store.entries(of: .sample(), after: 3, history: history, maximumBytes: 1)
        rules.expect(one.entries == [all.entries[3]], "one entry comes however large it is")
        let none = try await store.entries(of: .sample(), after: 10, history: history, maximumBytes: .max)
        rules.expect(none.entries.isEmpty && none.head == 10, "behind the newest entry there is none")
        await rules.expect("a number behind the newest one is refused", throws: .impossiblePosition(head: 10)) {
            try await store.entries(of: .sample(), after: 11, history: history, maximumBytes: .max)
        }
        await rules.expect("another history is refused", throws: .historyChanged) {
            try await store.entries(of: .sample(), after: 0, history: [1], maximumBytes: .max)
        }
        await rules.expect("a realm that is not there has no entries", throws: .unknownRealm) {
            try await store.entries(of: .sample("s_ward-9"), after: 0, history: history, maximumBytes: .max)
        }
        return rules.broken
    }

    func realmsApart() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let names: [RealmName] = [.sample("s_a"), .sample("s_b"), .sample("s_a", app: "other-app")]
        for (index, name) in names.enumerated() {
            var file = try await SampleRealmFile(boundTo: name, in: store)
            rules.expect(file.bound.file == 1, "each realm numbers its own files")
            let object = ObjectAddress.sample()
            let mine = ObjectAddress.sample(Int64(index), of: "Own")
            let upload = try file.upload([[object.create(["realm": .int(Int64(index))]), mine.create()]])
            let outcome = await store.take([upload], in: name, received: .sample)
            rules.expect(outcome.first.flatMap { try? $0.get().head } == 1, "each realm numbers its own entries")
        }
        var histories: Set<[UInt8]> = []
        for (index, name) in names.enumerated() {
            guard let history = try await store.status(of: name)?.history else { continue }
            histories.insert(history)
            let log = try await store.entries(of: name, after: 0, history: history, maximumBytes: .max)
            let values = try log.entries.flatMap { try Entry(bytes: $0.bytes).literals }
            let expected = ChangeOperation(.sample(), .create(given: ["realm": .int(Int64(index))], defaults: [:]))
            rules.expect(values.first == expected, "the log of a realm has its own entries alone")
            let page = try await store.objects(of: name, after: nil, maximumBytes: .max)
            let own = page.objects.first { $0.address.className == "Own" }
            rules.expect(
                page.objects.count == 2 && own?.address.key == .int(Int64(index)),
                "a realm has its own objects alone"
            )
        }
        rules.expect(histories.count == names.count, "each realm has a history of its own")
        return rules.broken
    }

    func objects() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var file = try await SampleRealmFile(in: store)
        let keys: [PrimaryKey] = [.int(-2), .int(3), .string("a"), .string("a\0"), .string("ab"), .null]
        let objects = keys.map { ObjectAddress("Person", $0) } + [ObjectAddress("Pet", .int(1))]
        let dead = ObjectAddress("Person", .int(0))
        var commits = (objects.shuffled() + [dead]).map { [$0.create(["name": "n", "n": 1])] }
        commits.append([dead.delete()])
        commits.append([objects[0].insert(1, 10), objects[0].insert(2, 20, before: 1), objects[0].put(5)])
        commits.append([objects[1].set("friend", .link(objects[0])), objects[1].set(key: "k", .bool(true))])
        let upload = try file.upload(commits)
        _ = await store.take([upload], in: .sample(), received: .sample)

        let whole = try await store.objects(of: .sample(), after: nil, maximumBytes: .max)
        rules.expect(whole.objects.map(\.address) == objects.sorted(), "living objects come in order of class and key")
        rules.expect(whole.next == nil && whole.head == commits.count, "the last page says that it is the last one")
        let history = file.bound.realm.history
        let log = try await store.entries(of: .sample(), after: 0, history: history, maximumBytes: .max)
        var replica = RealmContents()
        var changed: [ObjectAddress: Int] = [:]
        for entry in try log.entries.map({ try Entry(bytes: $0.bytes) }) {
            replica.apply(entry)
            for literal in entry.literals { changed[literal.object] = entry.number }
        }
        var fresh = RealmContents()
        for literal in whole.objects.flatMap(\.literals) { fresh.apply(literal) }
        rules.expect(fresh == replica, "a new device has what one has that read the log")
        rules.expect(
            whole.objects.allSatisfy { $0.changed == changed[$0.address] },
            "an object says which entry changed it last"
        )
        var pages: [StoredObject] = []
        var after: ObjectAddress?
        repeat {
            let page = try await store.objects(of: .sample(), after: after, maximumBytes: 1)
            rules.expect(page.objects.count == 1, "a page has one object however large it is")
            pages += page.objects
            after = page.next
        } while after != nil && pages.count < 20
        rules.expect(pages == whole.objects, "pages have every object once")
        await rules.expect("a realm that is not there has no objects", throws: .unknownRealm) {
            try await store.objects(of: .sample("s_ward-9"), after: nil, maximumBytes: .max)
        }
        return rules.broken
    }
}
