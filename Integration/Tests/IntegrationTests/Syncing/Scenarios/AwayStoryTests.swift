import Daybook
import Testing

/// Devices that were away for longer than the server keeps the log of their realm.
@MainActor
@Suite("Scenarios on real files: a device that was away for long", .withServer, .serialized, .timeLimit(.minutes(10)))
struct AwayStoryTests {
    /// What is looked at in the end, a line for each person.
    private static func persons(_ realm: Realm) -> [String] {
        realm.objects(ScenarioPerson.self).sorted(by: \._id)
            .map { person in
                let address = person.address?.text ?? "-"
                let marks = person.marks.map { "\($0.key) \($0.value)" }.sorted()
                let name = person.name ?? "-"
                return "\(person._id) \(name) \(person.age) \(Array(person.words).joined()) \(marks) \(address)"
            }
    }

    private static func base(_ realm: Realm) {
        for id in 1...4 {
            let person = ScenarioPerson(id, name: "old")
            realm.add(person)
            person.words.append(objectsIn: ["x", "y", "z"])
        }
    }

    @Test("S85: it begins with a snapshot, and what it did without a connection is decided as if the log was there")
    func unsentWrites() async throws {
        try await Story.tell(
            "S85",
            is: [
                #"1 b 7 AxyB ["m 1"] -"#, "2 a 0 xyz [] -", "4 old 5 xyz [] S, C", "9 new 0  [] -",
            ],
            from: Self.base
        ) { story in
            try await story.b { realm in
                let person = try realm.person()
                person.name = "lost"
                person.increment(\.age, by: 3)
                person.words.append("B")
                try realm.person(2).name = "first"
                try realm.person(3).name = "lost"
                try realm.person(4).address = ScenarioAddress("S", "C")
                realm.add(ScenarioPerson(9, name: "new"))
            }
            try await story.a { realm in
                let person = try realm.person()
                person.name = "a"
                person.increment(\.age, by: 4)
                person.words.insert("A", at: 0)
                person.words.remove(at: 3)
                person.marks["m"] = 1
                try realm.person(2).name = "a"
                realm.delete(try realm.person(3))
                try realm.person(4).age = 5
            }
            try await story.visit(story.a)
            let gone = try await story.forgetLog()
            #expect(gone > 0)
            #expect(try await story.forgetLog() == gone)
            try await story.b { try $0.person().name = "b" }
        } end: {
            Self.persons($0)
        }
    }

    @Test("S85: it tells of what others did meanwhile, once, and what stayed stays the same")
    func told() async throws {
        let story = try await Story.together("S85, told", from: Self.base)
        try await story.a { try $0.person(1).address = ScenarioAddress("S", "C") }
        try await story.settle(story.a, story.b)
        try #require(story.b.syncSession).suspend()
        let address = try #require(try story.b.person(1).address)
        try await story.a { realm in
            try realm.person(2).age = 9
            realm.delete(try realm.person(4))
        }
        try await story.sent(story.a)
        _ = try await story.forgetLog()
        let (changes, tell) = AsyncStream.makeStream(of: [[Int]].self)
        let token = story.b.objects(ScenarioPerson.self).sorted(by: \._id)
            .observe { change in
                guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
                tell.yield([deletions, insertions, modifications])
            }

        try #require(story.b.syncSession).resume()
        try await story.settle(story.b)
        try await story.b { realm in realm.add(ScenarioPerson(100)) }

        var seen: [[[Int]]] = []
        for await change in changes {
            seen.append(change)
            if change[1] == [3] { break }
        }
        token.invalidate()
        #expect(seen == [[[3], [], [1]], [[], [3], []]])
        #expect(!address.isInvalidated && address.street == "S")
    }

    @Test("what a device sent before, and is gone from the log, counts once beside what it sends after")
    func sentBefore() async throws {
        let story = try await Story.together("S85, sent", from: Self.base)
        try await story.b { try $0.person().increment(\.age, by: 1) }
        try await story.sent(story.b)
        try #require(story.b.syncSession).suspend()
        try await story.a { try $0.person().increment(\.age, by: 10) }
        try await story.settle(story.a)
        _ = try await story.forgetLog()
        try await story.b { try $0.person().increment(\.age, by: 100) }
        try #require(story.b.syncSession).resume()

        try await story.settle(story.a, story.b)

        for realm in [story.a, story.b, try await story.newDevice(.always)] {
            #expect(try realm.person().age == 111)
        }
    }
}
