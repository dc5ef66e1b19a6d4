import Daybook
import Testing

/// A class that says itself how it looks in events, or fails to.
private final class Clerk: Object, CustomEventRepresentable {
    struct Refusal: Error {}

    @Persisted(primaryKey: true) var _id: Int
    @Persisted var mood: String

    func customEventRepresentation() throws -> String {
        switch mood {
        case "silent": ""
        case "confused": "{\"clerk\""
        case "angry": throw Refusal()
        default: #"{ "name": "clerk", "clerk": \#(_id) }"#
        }
    }
}

@Suite("Scenarios: representations of the app's own")
struct CustomRepresentationScenarioTests {
    private let recorded: RecordedRealm

    private var realm: Realm { recorded.realm }

    init() throws {
        recorded = try RecordedRealm([Clerk.self, Target.self])
        try realm.write { realm.add(Target(1)) }
    }

    private func add(_ id: Int, mood: String) throws {
        try realm.write { _ = realm.create(Clerk.self, value: ["_id": id, "mood": mood]) }
    }

    private func look(_ id: Int) { _ = realm.object(ofType: Clerk.self, forPrimaryKey: id) }

    /// Reads a clerk and a target in a scope of which the clerk's event fails.
    private func recordFailure(of id: Int) throws {
        let error = #expect(throws: RecordingError.self) {
            try recorded.record {
                look(id)
                _ = realm.object(ofType: Target.self, forPrimaryKey: 1)
            }
        }
        guard case .incompleteEvents(1, _) = error else {
            Issue.record("The error is \(String(describing: error)).")
            return
        }
    }

    @Test(
        "Scenario 2: two scopes with an empty one between hold what the class says of its objects; there is no other hook",
        .tags(.scenario2)
    )
    func twoScopes() throws {
        try add(1, mood: "good")
        try add(2, mood: "good")

        try recorded.record("first") { look(1) }
        try recorded.record("empty") {}
        try recorded.record("second") { look(2) }

        #expect(try recorded.stored().map(\.activity) == ["first", "second"])
        #expect(
            try recorded.lines() == [
                read("Clerk", #"{"clerk":1,"name":"clerk"}"#), read("Clerk", #"{"clerk":2,"name":"clerk"}"#),
            ]
        )
    }

    @Test(
        "Scenarios 3 and 83: a representation that throws marks its event, is in the error, and costs the scope nothing else",
        .tags(.scenario3, .scenario83)
    )
    func throwing() throws {
        try add(1, mood: "angry")

        try recordFailure(of: 1)

        let stored = try recorded.stored()
        #expect(stored.map(\.marks) == [.incomplete, []])
        #expect(stored[0].dataText?.hasPrefix(#"{"error":"#) == true)
        #expect(stored[0].dataText?.contains("angry") == false)
        #expect(try recorded.lines().last == read("Target", Target.json(1)))
    }

    @Test(
        "Scenario 82: a representation that is not JSON marks its event, and costs the scope nothing else",
        .tags(.scenario82),
        arguments: ["silent", "confused"]
    )
    func invalid(mood: String) throws {
        try add(1, mood: mood)

        try recordFailure(of: 1)

        #expect(try recorded.stored().map(\.marks) == [.incomplete, []])
        #expect(try recorded.lines().last == read("Target", Target.json(1)))
    }

    @Test(
        "Scenario 84: a valid representation is JSON in place of the object, whatever failed before",
        .tags(.scenario84)
    )
    func valid() throws {
        try add(1, mood: "confused")
        try add(2, mood: "good")
        try recordFailure(of: 1)

        try recorded.record("fine") {
            look(2)
            try add(3, mood: "good")
        }

        #expect(
            try recorded.lines().suffix(2) == [
                read("Clerk", #"{"clerk":2,"name":"clerk"}"#),
                write("Clerk", insertions: #"{"clerk":3,"name":"clerk"}"#),
            ]
        )
    }
}
