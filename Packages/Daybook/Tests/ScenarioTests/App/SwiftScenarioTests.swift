import Daybook
import Testing

/// A model with the nullable column that partitions of a realm have.
private final class Patient: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    // Columns of partitions have such names.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    @Persisted var realm_id: String?
}

@Suite("Scenarios: reading and writing as an app does")
struct SwiftScenarioTests {
    private let recorded: RecordedRealm

    private var realm: Realm { recorded.realm }

    init() throws {
        recorded = try RecordedRealm([Patient.self])
    }

    private func patient(_ name: String) -> String { #"{"_id":1,"name":"\#(name)","realm_id":null}"# }

    /// Adds a patient before anything is recorded.
    private func add() throws -> Patient {
        try realm.write { realm.create(Patient.self, value: ["_id": 1, "name": "Ann"]) }
    }

    @Test("Scenario 77: creating an object is one write with its full JSON as insertion", .tags(.scenario77))
    func create() throws {
        try recorded.record { _ = try add() }

        #expect(try recorded.lines() == [write("Patient", insertions: patient("Ann"))])
    }

    @Test("Scenario 78: the first object of a class is one read", .tags(.scenario78))
    func first() throws {
        _ = try add()

        try recorded.record { #expect(realm.objects(Patient.self).first?.name == "Ann") }

        #expect(try recorded.lines() == [read("Patient", patient("Ann"))])
    }

    @Test(
        "Scenario 79: changing a property is one write: all of the old, the changed of the new; no read",
        .tags(.scenario79)
    )
    func mutate() throws {
        let ann = try add()

        try recorded.record { try realm.write { ann.name = "Anna" } }

        #expect(
            try recorded.lines() == [write("Patient", modifications: [(#"{"name":"Anna"}"#, patient("Ann"))])]
        )
    }

    @Test("Scenario 80: deleting an object is one write with the deletion of what it was", .tags(.scenario80))
    func delete() throws {
        let ann = try add()
        try realm.write { ann.name = "Anna" }

        try recorded.record { try realm.write { realm.delete(ann) } }

        #expect(try recorded.lines() == [write("Patient", deletions: patient("Anna"))])
    }
}
