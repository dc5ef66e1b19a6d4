import Daybook
import Testing

@MainActor
@Suite(
    "Scenarios on real files: while the devices hear of each other",
    .withServer,
    .serialized,
    .timeLimit(.minutes(10))
)
struct ExchangeStoryTests {
    @Test("S77: a transaction is seen as a whole, never in part")
    func wholeTransactions() async throws {
        let story = try await Story.together("S77", from: { _ in })
        let (counts, told) = AsyncStream.makeStream(of: Int.self)
        let token = story.b.objects(ScenarioPerson.self)
            .observe { change in
                switch change {
                case .initial(let persons), .update(let persons, _, _, _): told.yield(persons.count)
                case .error: told.finish()
                }
            }
        for transaction in 0..<10 {
            try await story.a { realm in
                for index in 0..<3 { realm.add(ScenarioPerson(transaction * 3 + index)) }
            }
        }

        var seen: [Int] = []
        for await count in counts {
            seen.append(count)
            if count == 30 { break }
        }
        token.invalidate()

        #expect(seen.last == 30)
        #expect(seen.filter { $0 % 3 != 0 } == [])
    }

    @Test("S83: a device that is new while others write has everything in the end, and nothing twice")
    func newDevice() async throws {
        let story = try await Story.together(
            "S83",
            from: { realm in for id in 1...300 { realm.add(ScenarioPerson(id, name: "old")) } }
        )
        let new = try await story.newDevice(.never)
        for round in 0..<20 {
            try await story.a { realm in
                realm.add(ScenarioPerson(1000 + round))
                try realm.person().words.append("a\(round)")
            }
            try await story.b { realm in
                realm.delete(try realm.person(100 + round))
                try realm.person().words.append("b\(round)")
            }
        }
        try await story.settle(story.a, story.b, new)

        let ids = Array(1..<100) + Array(120...300) + Array(1000..<1020)
        let words = Array(try story.a.person().words)
        #expect(words.sorted() == (0..<20).flatMap { ["a\($0)", "b\($0)"] }.sorted())
        for realm in [story.a, story.b, new] {
            #expect(realm.ids == ids)
            #expect(Array(try realm.person().words) == words)
        }
    }

    @Test("S84: what another device did waits for an open transaction, which sees one state")
    func openTransaction() async throws {
        let story = try await Story.together("S84")
        story.b.beginWrite()
        try await story.a { try $0.person().name = "a" }
        try await story.sent(story.a)

        #expect(try story.b.person().name == nil)
        try story.b.person().age = 7
        #expect(try story.b.person().name == nil)
        try story.b.commitWrite()

        try await story.settle(story.a, story.b)
        for realm in [story.a, story.b] {
            #expect(try realm.person().name == "a")
            #expect(try realm.person().age == 7)
        }
    }
}
