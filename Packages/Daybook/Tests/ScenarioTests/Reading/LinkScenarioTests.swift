import Daybook
import Testing

@Suite("Scenarios: followed links")
struct LinkScenarioTests {
    private let recorded: RecordedRealm

    private var realm: Realm { recorded.realm }

    /// A read of a holder and then a step along one of its properties.
    typealias Step = @Sendable (Holder) -> Void

    init() throws {
        recorded = try RecordedRealm(holding: [Holder.linked()])
    }

    private func holder() throws -> Holder { try holder(recorded) }

    private func holder(_ recorded: RecordedRealm) throws -> Holder {
        try #require(recorded.realm.object(ofType: Holder.self, forPrimaryKey: 1))
    }

    /// The same realm with the rule of the original, which records what is handed out in a scope.
    private func recordedAsOriginal() throws -> RecordedRealm {
        try RecordedRealm(holding: [Holder.linked()], EventConfiguration(recordedReads: .handedOut))
    }

    private func target(_ id: Int) throws -> Target {
        try #require(realm.object(ofType: Target.self, forPrimaryKey: id))
    }

    /// Reads the holder, takes a step and returns what is stored.
    private func lines(after step: Step) throws -> [String] {
        try recorded.record { step(try holder()) }
        return try recorded.lines()
    }

    private let expandedList = read("Holder", Holder.json(list: Target.json(2, 3)))
    private let expandedSet = read("Holder", Holder.json(set: Target.json(6, 7)))
    private let expandedMap = read("Holder", Holder.json(map: (Target.json(4), Target.json(5))))

    @Test("Scenario 17: links that are not followed are primary keys", .tags(.scenario17))
    func notFollowed() throws {
        #expect(try lines { _ in } == [read("Holder", Holder.json())])
    }

    @Test("Scenario 18: an embedded object is inline and complete", .tags(.scenario18))
    func embedded() throws {
        try realm.write { try holder().note = Note(value: ["value": 5]) }

        #expect(try lines { _ = $0.note?.value } == [read("Holder", Holder.json(note: #"{"value":5}"#))])
    }

    @Test("Scenario 19: a followed to-one link is the full target, which is an event, too", .tags(.scenario19))
    func toOne() throws {
        #expect(
            try lines { _ = $0.link?.value } == [
                read("Holder", Holder.json(link: Target.json(1))), read("Target", Target.json(1)),
            ]
        )
    }

    @Test("Scenario 20: collections that are merely obtained or counted stay keys", .tags(.scenario20))
    func obtained() throws {
        let lines = try lines { holder in
            let (list, set, map) = (holder.list, holder.set, holder.map)
            #expect(list.count == 2 && set.count == 2 && map.count == 2)
        }

        #expect(lines == [read("Holder", Holder.json())])
    }

    @Test("Scenario 21: an element of a list shows all of its elements in full, and is an event", .tags(.scenario21))
    func listElement() throws {
        #expect(try lines { _ = $0.list[1] } == [expandedList, read("Target", Target.json(3))])
    }

    @Test("Scenario 22: an element of an untyped list does, too", .tags(.scenario22))
    func untypedListElement() throws {
        #expect(try lines { _ = $0.dynamicList("list")[1] } == [expandedList, read("Target", Target.json(3))])
    }

    @Test("Scenario 23: an element of a set does, too", .tags(.scenario23))
    func setElement() throws {
        #expect(try lines { _ = $0.set[0] } == [expandedSet, read("Target", Target.json(6))])
    }

    @Test("Scenario 24: an element of an untyped set does, too", .tags(.scenario24))
    func untypedSetElement() throws {
        #expect(try lines { _ = $0.dynamicMutableSet("set")[1] } == [expandedSet, read("Target", Target.json(7))])
    }

    @Test("Scenario 25: an entry of a map shows all of its entries in full, and is an event", .tags(.scenario25))
    func mapEntry() throws {
        #expect(try lines { _ = $0.map["b"] } == [expandedMap, read("Target", Target.json(5))])
    }

    @Test("Scenario 26: an entry of an untyped map does, too", .tags(.scenario26))
    func untypedMapEntry() throws {
        let lines = try lines { holder in
            let map: Map<String, DynamicObject?> = holder.dynamicMap("map")
            _ = map["b"]
        }

        #expect(lines == [expandedMap, read("Target", Target.json(5))])
    }

    @Test("Scenario 27: the first entry of a map that is iterated does, too", .tags(.scenario27))
    func iteratedMap() throws {
        let lines = try lines { holder in
            for entry in holder.map {
                #expect(entry.key == "a")
                break
            }
        }

        #expect(lines == [expandedMap, read("Target", Target.json(4))])
    }

    @Test("Scenario 28: an optional look-up in a map does when it finds something", .tags(.scenario28))
    func optionalMapEntry() throws {
        let lines = try lines { holder in
            #expect(holder.map.object(forKey: "x") == nil)
            #expect(holder.map.object(forKey: "a") is Target)
        }

        #expect(lines == [expandedMap, read("Target", Target.json(4))])
    }

    @Test(
        "Scenario 29: of a link whose parent was read before the scope only the target is an event",
        .tags(.scenario29)
    )
    func parentBefore() throws {
        let recorded = try recordedAsOriginal()
        let holder = try holder(recorded)

        try recorded.record { _ = holder.link }

        #expect(try recorded.lines() == [read("Target", Target.json(1))])
    }

    @Test(
        "Scenario 30: a link that is followed in a later scope changes nothing in the earlier one",
        .tags(.scenario30)
    )
    func laterScope() throws {
        let recorded = try recordedAsOriginal()
        var holder: Holder?
        try recorded.record("first") { holder = try self.holder(recorded) }
        try recorded.record("second") { _ = holder?.link }

        #expect(try recorded.lines() == [read("Holder", Holder.json()), read("Target", Target.json(1))])
        #expect(try recorded.stored().map(\.activity) == ["first", "second"])
    }

    @Test("Scenario 31: a link that was followed in an earlier scope is a key in the next one", .tags(.scenario31))
    func earlierScope() throws {
        try recorded.record("first") { _ = try holder().link }
        try recorded.record("second") {
            _ = try target(1)
            _ = try target(2)
            _ = try holder()
        }

        #expect(
            try recorded.lines() == [
                read("Holder", Holder.json(link: Target.json(1))), read("Target", Target.json(1)),
                read("Target", Target.json(1)), read("Target", Target.json(2)), read("Holder", Holder.json()),
            ]
        )
    }

    @Test("Scenario 32: a link that is followed before the parent is read stays a key", .tags(.scenario32))
    func followedBefore() throws {
        let recorded = try recordedAsOriginal()
        let early = try holder(recorded)

        try recorded.record {
            _ = early.link
            _ = try holder(recorded)
        }

        #expect(try recorded.lines() == [read("Target", Target.json(1)), read("Holder", Holder.json())])
    }

    @Test("Scenario 97: links are followed after a write in the same scope, too", .tags(.scenario97))
    func afterWrite() throws {
        try recorded.record {
            try realm.write { realm.add(Target(9)) }
            _ = try holder().link
        }

        #expect(
            try recorded.lines().suffix(2) == [
                read("Holder", Holder.json(link: Target.json(1))), read("Target", Target.json(1)),
            ]
        )
    }

    @Test("Scenario 107: a cycle of followed links is cut at the repeated object's primary key", .tags(.scenario107))
    func cycle() throws {
        let recorded = try RecordedRealm([Knot.self])
        try recorded.realm.write {
            let (first, second) = (Knot(value: ["_id": 1]), Knot(value: ["_id": 2]))
            recorded.realm.add([first, second])
            first.next = second
            second.next = first
        }

        try recorded.record {
            let first = try #require(recorded.realm.object(ofType: Knot.self, forPrimaryKey: 1))
            #expect(first.next?.next?.next?._id == 2)
        }

        let (one, two) = (#"{"_id":1,"next":{"_id":2,"next":1}}"#, #"{"_id":2,"next":{"_id":1,"next":2}}"#)
        #expect(
            try recorded.lines() == [
                read("Knot", one), read("Knot", two), read("Knot", one), read("Knot", #"{"_id":2,"next":1}"#),
            ]
        )
    }

    @Test("Scenario 109: iterating a list or a set of links is recorded as following it", .tags(.scenario109))
    func iteration() throws {
        let list = try lines { for target in $0.list { _ = target.value } }
        #expect(list == [expandedList, read("Target", Target.json(2)), read("Target", Target.json(3))])

        let set = try lines { for target in $0.set { _ = target.value } }
        #expect(set.dropFirst(3) == [expandedSet, read("Target", Target.json(6)), read("Target", Target.json(7))])
    }

    @Test("Scenario 109: a link in a property of any value is recorded when it is followed", .tags(.scenario109))
    func anyValue() throws {
        let record = Record()
        record._id = 1
        record.mixed = .object(Target(8))
        let recorded = try RecordedRealm(holding: [record])

        try recorded.record {
            let record = try #require(recorded.realm.object(ofType: Record.self, forPrimaryKey: 1))
            #expect(record.mixed.object(Target.self)?.value == 80)
        }

        let lines = try recorded.lines()
        #expect(lines.count == 2)
        #expect(lines[0].contains(#""mixed":{"_id":8,"value":80}"#))
        #expect(lines[1] == read("Target", Target.json(8)))
    }

    @Test("the whole of a chain is shown: A with B with C, B with C, and C")
    func chain() throws {
        let recorded = try RecordedRealm([Knot.self])
        try recorded.realm.write {
            recorded.realm.create(Knot.self, value: ["_id": 1, "next": ["_id": 2, "next": ["_id": 3]]])
        }

        try recorded.record {
            let first = try #require(recorded.realm.object(ofType: Knot.self, forPrimaryKey: 1))
            #expect(first.next?.next?._id == 3)
        }

        let three = #"{"_id":3,"next":null}"#
        let two = #"{"_id":2,"next":\#(three)}"#
        #expect(
            try recorded.lines() == [
                read("Knot", #"{"_id":1,"next":\#(two)}"#), read("Knot", two), read("Knot", three),
            ]
        )
    }
}

/// An object that links to another of its class.
private final class Knot: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var next: Knot?
}
