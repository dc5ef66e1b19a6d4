import Daybook
import EventModelTesting
import ObjectStoreTesting
import Testing

@Suite("Scenarios: queries and reads")
struct QueryScenarioTests {
    private let recorded: RecordedRealm

    private var realm: Realm { recorded.realm }

    init() throws {
        recorded = try RecordedRealm(holding: [Holder.linked(), Target(8), Target(9)])
    }

    private func small() -> Results<Target> { realm.objects(Target.self).where { $0.value <= 50 } }

    @Test("Scenario 1: a populated object is read as one event with every property but the data", .tags(.scenario1))
    func populated() throws {
        let recorded = try RecordedRealm(holding: [Record.populated(1)])

        try recorded.record("read") { _ = recorded.realm.object(ofType: Record.self, forPrimaryKey: 1) }

        #expect(try recorded.lines() == [read("Record", #"{"_id":1,"bool":true,\#(Record.populatedRest)}"#)])
        #expect(try recorded.stored().map(\.activity) == ["read"])
    }

    @Test("Scenario 10: a query that finds nothing makes no event", .tags(.scenario10))
    func emptyQuery() throws {
        try recorded.record { #expect(realm.objects(Target.self).where { $0.value > 1000 }.first == nil) }

        #expect(try recorded.stored().isEmpty)
    }

    @Test("Scenario 11: a query with five matches is one read event with five values", .tags(.scenario11))
    func query() throws {
        try recorded.record { _ = small().first }

        #expect(try recorded.lines() == [read("Target", Target.json(1, 2, 3, 4, 5))])
    }

    @Test(
        "Scenario 12: reads of the class after its query, matched or not, are folded into its event",
        .tags(.scenario12)
    )
    func foldedReads() throws {
        try recorded.record {
            _ = small().first
            _ = realm.object(ofType: Target.self, forPrimaryKey: 2)
            _ = realm.object(ofType: Target.self, forPrimaryKey: 9)
        }

        #expect(try recorded.lines() == [read("Target", Target.json(1, 2, 3, 4, 5, 9))])
    }

    @Test("Scenario 13: an object of another class after a query is a second event", .tags(.scenario13))
    func otherClass() throws {
        try recorded.record {
            _ = small().first
            _ = realm.object(ofType: Holder.self, forPrimaryKey: 1)
        }

        #expect(try recorded.lines() == [read("Target", Target.json(1, 2, 3, 4, 5)), read("Holder", Holder.json())])
    }

    @Test("Scenario 14: a read of the queried class after another class is a third event", .tags(.scenario14))
    func backToTheClass() throws {
        try recorded.record {
            _ = small().first
            _ = realm.object(ofType: Holder.self, forPrimaryKey: 1)
            _ = realm.object(ofType: Target.self, forPrimaryKey: 1)
        }

        #expect(
            try recorded.lines() == [
                read("Target", Target.json(1, 2, 3, 4, 5)), read("Holder", Holder.json()),
                read("Target", Target.json(1)),
            ]
        )
    }

    @Test("Scenario 15: an empty commit between a query and a read keeps them apart", .tags(.scenario15))
    func emptyCommit() throws {
        try recorded.record {
            _ = small().first
            try realm.write {}
            _ = realm.object(ofType: Target.self, forPrimaryKey: 1)
        }

        #expect(try recorded.lines() == [read("Target", Target.json(1, 2, 3, 4, 5)), read("Target", Target.json(1))])
    }

    @Test(
        "Scenario 16: a filtered list is a read of the parent with keys and one of the matches in the list's order",
        .tags(.scenario16)
    )
    func filteredList() throws {
        try realm.write {
            let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
            holder.list.removeAll()
            for id in [5, 3, 1] {
                holder.list.append(try #require(realm.object(ofType: Target.self, forPrimaryKey: id)))
            }
        }

        try recorded.record {
            let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
            #expect(holder.list.where { $0.value > 20 }.first?._id == 5)
        }

        #expect(
            try recorded.lines() == [read("Holder", Holder.json(list: "5,3,1")), read("Target", Target.json(5, 3))]
        )
    }

    @Test("Scenario 96: a read that is folded into a query after a repeat was dropped is not lost", .tags(.scenario96))
    func foldedAfterDropped() throws {
        try recorded.record {
            _ = realm.object(ofType: Holder.self, forPrimaryKey: 1)
            _ = realm.object(ofType: Holder.self, forPrimaryKey: 1)
            _ = small().first
            _ = realm.object(ofType: Target.self, forPrimaryKey: 9)
        }

        #expect(
            try recorded.lines() == [
                read("Holder", Holder.json()), read("Target", Target.json(1, 2, 3, 4, 5, 9)),
            ]
        )
    }

    @Test(
        "Scenario 100: iterating a filtered result reports each object a bounded number of times, not all of them each time",
        .tags(.scenario100)
    )
    func linearIteration() throws {
        let recorded = try RecordedRealm(holding: (1...400).map(Target.init))
        let spy = ObserverSpy()
        let file = try TemporaryRealm(Record.types) { $0.attachment = spy }
        let watched = try file.open()
        try watched.write { watched.add((1...400).map(Target.init)) }

        spy.gate.open()
        for target in watched.objects(Target.self).where({ $0.value > 0 }) { _ = target.value }
        spy.gate.close()
        try recorded.record {
            for target in recorded.realm.objects(Target.self).where({ $0.value > 0 }) { _ = target.value }
        }

        let seen = spy.calls.reduce(0) { $0 + $1.objectCount }
        #expect(seen <= 2 * 400)
        let lines = try recorded.lines()
        #expect(lines == [read("Target", (1...400).map { Target.json($0) }.joined(separator: ","))])
    }

    @Test("Scenario 105: a look-up that finds nothing in a scope returns nil and makes no event", .tags(.scenario105))
    func miss() throws {
        try recorded.record { #expect(realm.object(ofType: Target.self, forPrimaryKey: 99) == nil) }

        #expect(try recorded.stored().isEmpty)
    }

    @Test("with recordsEmptyQueries a search in vain is an event that names the class and what was asked for")
    func recordedEmptyQuery() throws {
        let recorded = try RecordedRealm(Record.types, EventConfiguration(recordsEmptyQueries: true))

        try recorded.record {
            let targets = recorded.realm.objects(Target.self)
            _ = targets.where { $0.value > 1000 }.first
            _ =
                targets.filter("value > %d AND NOT value IN %@", 2000, [3, 4])
                .sorted(byKeyPath: "value", ascending: false).first
        }

        #expect(
            try recorded.lines() == [
                #"read {"type":"Target","value":[],"where":{"predicate":"value > 1000"}}"#,
                #"read {"type":"Target","value":[],"where":{"predicate":"value > 2000 AND NOT value IN {3, 4}","#
                    + #""sort":[{"ascending":false,"keyPath":"value"}]}}"#,
            ]
        )
    }

    @Test("counts, emptiness and sums of a whole class, and queries that are never looked at, make no event")
    func notCaptured() throws {
        try recorded.record {
            let all = realm.objects(Target.self)
            #expect(all.count == 9 && !all.isEmpty)
            #expect(all.sum(of: \.value) == 450)
            _ = small().sorted(byKeyPath: "value")
            #expect(small().count == 5)
        }

        #expect(try recorded.stored().isEmpty)
    }

    @Test("the order of a sorted query is the order of its event")
    func sorted() throws {
        try recorded.record { _ = small().sorted(byKeyPath: "value", ascending: false).first }

        #expect(try recorded.lines() == [read("Target", Target.json(5, 4, 3, 2, 1))])
    }
}

extension ObserverSpy.Call {
    /// How many objects the call reports.
    fileprivate var objectCount: Int {
        switch self {
        case .read: 1
        case .query(_, _, let matches): matches.count
        case .follow(_, _, _, let all): all.count + 1
        @unknown default: 0
        }
    }
}
