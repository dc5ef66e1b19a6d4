import Daybook
import Testing

/// Classes that show themselves, through the real store, recorder, encoder and files.
@Suite("Custom representation in stored events")
struct StoredRepresentationTests {
    private let recorded: RecordedRealm
    private var realm: Realm { recorded.realm }

    init() throws {
        recorded = try RecordedRealm([Employee.self, Team.self, Badge.self])
    }

    /// Runs the body within a scope and returns what its completion gets.
    private func record(_ body: () throws -> Void) throws -> RecordingError? {
        let scope = recorded.events.beginScope(activity: "scope")
        try body()
        do {
            try recorded.commit(scope)
            return nil
        } catch {
            return try #require(error as? RecordingError)
        }
    }

    private func add(_ employeeId: Int, _ name: String = "Anthony", team: Team? = nil) throws {
        try realm.write { realm in
            let employee = Employee()
            employee.employeeId = employeeId
            employee.name = name
            employee.team = team
            employee.badge = Badge(value: ["code": "b"])
            realm.add(employee)
        }
    }

    @Test("the guide's example is stored as JSON in place of the object", .tags(.scenario2, .scenario84))
    func guide() throws {
        try add(2)

        let error = try record { _ = realm.objects(Employee.self).first }

        #expect(error == nil)
        #expect(try recorded.stored().map(\.dataText) == [#"{"type":"Employee","value":[{"int":2}]}"#])
    }

    @Test(
        "text that is not JSON marks its event, the rest of the scope is stored and the completion says so",
        .tags(.scenario3, .scenario82)
    )
    func invalidJSON() throws {
        try add(0, team: Team(value: ["id": 1]))
        try add(2)

        let error = try record {
            for employee in realm.objects(Employee.self) { _ = employee.name }
            _ = realm.objects(Team.self).first
        }

        guard case .incompleteEvents(count: 1, let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            cause as? SerializationError == .malformedRepresentation(className: "Employee", offset: 0)
        )
        let stored = try recorded.stored()
        #expect(
            stored.map(\.dataText) == [
                #"{"error":"A read of class 'Employee' could not be represented: SerializationError."}"#,
                #"{"type":"Employee","value":[{"int":2}]}"#, #"{"type":"Team","value":[{"id":1,"name":""}]}"#,
            ]
        )
        #expect(stored.map(\.marks) == [.incomplete, [], []])
    }

    @Test("a thrown error marks its event and is what the completion's error holds", .tags(.scenario83))
    func throwing() throws {
        try add(-1)

        let error = try record { _ = realm.objects(Employee.self).first }

        guard case .incompleteEvents(count: 1, let cause) = error,
            case .representationFailed(className: "Employee", let thrown) = cause as? SerializationError
        else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(thrown as? Employee.Unknown == Employee.Unknown())
    }

    @Test(
        "a failure of one scope does not touch the scopes before and behind it",
        .tags(.scenario82, .scenario83, .scenario84)
    )
    func otherScopes() throws {
        try add(2)
        try add(0)
        let all = realm.objects(Employee.self)

        let errors = [
            try record { _ = all[0] }, try record { _ = all[1] }, try record { _ = all[0] },
        ]

        #expect(errors.map { $0 == nil } == [true, false, true])
        #expect(try recorded.stored().map { $0.marks.contains(.incomplete) } == [false, true, false])
    }

    @Test("insertions, deletions and modifications have it, and newValue the keys that differ")
    func writes() throws {
        let error = try record {
            try add(2)
            let employee = try #require(realm.objects(Employee.self).last)
            try realm.write { _ in employee.name = "Tony" }
            try realm.write { _ in employee.employeeId = 3 }
            try realm.write { realm in realm.delete(employee) }
        }

        #expect(error == nil)
        #expect(
            try recorded.stored().filter { $0.event == "write" }.map(\.dataText) == [
                #"{"Employee":{"insertions":[{"int":2}]}}"#,
                #"{"Employee":{"modifications":[{"newValue":{},"oldValue":{"int":2}}]}}"#,
                #"{"Employee":{"modifications":[{"newValue":{"int":3},"oldValue":{"int":2}}]}}"#,
                #"{"Employee":{"deletions":[{"int":3}]}}"#,
            ]
        )
    }

    @Test("a followed object sees itself, and its parent what was followed")
    func followed() throws {
        try add(100, team: Team(value: ["id": 1, "name": "A"]))

        let error = try record { _ = realm.objects(Employee.self).first?.team?.name }
        let second = try record { _ = realm.objects(Employee.self).first }

        #expect(error == nil && second == nil)
        #expect(
            try recorded.stored().map(\.dataText) == [
                #"{"type":"Employee","value":[{"badge":"b","int":100,"team":"1 A"}]}"#,
                #"{"type":"Team","value":[{"id":1,"name":"A"}]}"#,
                #"{"type":"Employee","value":[{"badge":"b","int":100,"team":"1 "}]}"#,
            ]
        )
    }

    @Test("what the class reads of the object is not recorded, also when another scope is active")
    func readsOfTheClass() throws {
        try add(100, team: Team(value: ["id": 1, "name": "A"]))
        let outer = recorded.events.beginScope(activity: "outer")

        let error = try record { _ = realm.objects(Employee.self).first }
        try recorded.commit(outer)

        #expect(error == nil)
        #expect(try recorded.stored().map(\.activity) == ["scope", "outer"])
    }
}

private final class Employee: Object, CustomEventRepresentable {
    struct Unknown: Error, Equatable {}

    @Persisted var employeeId: Int
    @Persisted var name: String
    @Persisted var team: Team?
    @Persisted var badge: Badge?

    func customEventRepresentation() throws -> String {
        if employeeId == 0 { return "invalid json" }
        if employeeId < 0 { throw Unknown() }
        guard employeeId >= 100 else { return "{\"int\": \(employeeId)}" }
        let team = team.map { "\"\($0.id) \($0.name)\"" } ?? "null"
        return "{\"team\": \(team), \"int\": \(employeeId), \"badge\": \"\(badge?.code ?? "")\"}"
    }
}

private final class Team: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
}

private final class Badge: EmbeddedObject {
    @Persisted var code: String
}
