import EventModel
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private class CorpusPatient: Object {
    @Persisted(primaryKey: true) var mrn: String
    @Persisted var age: Int?
    @Persisted var visits: Int64
    @Persisted var isAdmitted: Bool
    @Persisted var temperature: Double
    @Persisted var ratio: Float?
    @Persisted var balance: Decimal128
    @Persisted var device: UUID?
    @Persisted var ward: Ward
    @Persisted var triage: Triage?
    @Persisted var note: AnyRealmValue
    @Persisted var doctor: CorpusDoctor?
    @Persisted var home: CorpusHome?
    @Persisted var formerHomes: List<CorpusHome>
    @Persisted var doctors: List<CorpusDoctor>
    @Persisted var allergies: MutableSet<String>
    @Persisted var counts: Map<String, Int>
    @Persisted var marks: Map<String, Double?>
    @Persisted var pulses: List<Int?>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class CorpusDoctor: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = "nobody"
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class CorpusHome: EmbeddedObject {
    @Persisted var street: String
    @Persisted var tags: List<String>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Real JSON text, read by `JSONSerialization`, created, read back and compared property by property.
@Suite("Objects from JSON")
struct JSONCorpusTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([CorpusPatient.self, CorpusDoctor.self, CorpusHome.self])
        realm = try file.open()
    }

    private func json(_ text: String) throws -> Any { try JSONSerialization.jsonObject(with: Data(text.utf8)) }

    private func created(_ text: String, update: Realm.UpdatePolicy = .error) throws -> CorpusPatient {
        try realm.write { realm in
            realm.create(CorpusPatient.self, value: try json(text), update: update)
        }
    }

    @Test("a document with everything is created as it is written")
    func whole() throws {
        let text = """
            {"mrn": "A-1", "age": 36, "visits": 9007199254740993, "isAdmitted": true, "temperature": 37.0, "ratio": 0.5,
             "balance": "1234567890123456789012345678901.234", "device": "00112233-4455-6677-8899-AABBCCDDEEFF",
             "ward": "intensiveCare", "triage": 3, "doctor": {"id": 1, "name": "Ada \\u00e9\\ud83d\\ude00"},
             "home": {"street": "Elm\\n\\"1\\"", "tags": ["a", ""]}, "formerHomes": [{"street": "x"}, {}],
             "doctors": [{"id": 2, "name": "Bob"}, {"id": 3}], "allergies": ["nuts", "nuts", "milk"],
             "counts": {"": 0, "a.b": -1, "$c": 2}, "marks": {"m": null, "n": 1}, "pulses": [60, null, 61],
             "note": {"a": [1, 1.0, true, null, "x", {"deep": []}], "b": 1e3}, "unknown": {"ignored": 1}}
            """
        let patient = try created(text)
        #expect(patient.mrn == "A-1")
        #expect(patient.age == 36)
        #expect(patient.visits == 9_007_199_254_740_993)
        #expect(patient.isAdmitted)
        #expect(patient.temperature == 37)
        #expect(patient.ratio == 0.5)
        #expect(patient.balance.description == "1234567890123456789012345678901.234")
        #expect(patient.device?.uuidString == "00112233-4455-6677-8899-AABBCCDDEEFF")
        #expect(patient.ward == .intensiveCare)
        #expect(patient.triage == .red)
        #expect(patient.doctor?.name == "Ada é😀")
        #expect(patient.home?.street == "Elm\n\"1\"")
        #expect(patient.home?.tags.map { $0 } == ["a", ""])
        #expect(patient.formerHomes.map(\.street) == ["x", ""])
        #expect(patient.doctors.map(\.name) == ["Bob", "nobody"])
        #expect(patient.allergies.sorted() == ["milk", "nuts"])
        #expect(patient.counts.keys.sorted() == ["", "$c", "a.b"])
        #expect(patient.counts["a.b"] == -1)
        #expect(patient.marks["m"] == .some(nil))
        #expect(patient.marks["n"] == 1)
        #expect(patient.pulses.map { $0 } == [60, nil, 61])
        let note = try #require(patient.note.dictionaryValue)
        let parts = try #require(note["a"]?.listValue)
        #expect(Array(parts.prefix(5)) == [.int(1), .double(1), .bool(true), .none, .string("x")])
        #expect(parts[5].dictionaryValue?["deep"]?.listValue?.isEmpty == true)
        #expect(note["b"] == .double(1000))
    }

    @Test(
        "numbers at the limits of their types arrive whole",
        arguments: [
            ("visits", "-9223372036854775808", "-9223372036854775808"),
            ("visits", "9223372036854775807", "9223372036854775807"), ("visits", "-0", "0"),
            ("temperature", "-0.0", "-0.0"), ("temperature", "9223372036854775808", "9.223372036854776e+18"),
            ("temperature", "18446744073709551616", "1.8446744073709552e+19"), ("temperature", "1e308", "1e+308"),
            ("temperature", "5e-324", "5e-324"), ("temperature", "0.1234567890123456789", "0.12345678901234568"),
            ("temperature", "3.14159265358979323846264338327950288", "3.141592653589793"),
            ("temperature", "1E+2", "100.0"), ("ratio", "3.4028234663852886e38", "3.4028235e+38"),
            ("balance", "18446744073709551616", "18446744073709551616"), ("balance", "-1", "-1"),
            ("balance", "0.12345678901234567890123", "0.12345678901234567890123"), ("balance", "true", "refused"),
            ("visits", "9223372036854775808", "refused"), ("visits", "-9223372036854775809", "refused"),
            ("visits", "1.0", "refused"), ("visits", "1e2", "refused"), ("visits", "true", "1"),
            ("visits", "null", "refused"), ("visits", "\"1\"", "refused"), ("visits", "[]", "refused"),
            ("isAdmitted", "0", "false"), ("isAdmitted", "2", "refused"), ("isAdmitted", "\"true\"", "refused"),
            ("temperature", "false", "refused"), ("ratio", "1e39", "refused"), ("ratio", "null", "nil"),
            ("triage", "2", "refused"), ("triage", "1", "green"), ("ward", "\"kitchen\"", "refused"),
            ("device", "\"x\"", "refused"), ("counts", "[1]", "refused"), ("counts", "{\"a\": \"1\"}", "refused"),
            ("pulses", "{}", "refused"), ("pulses", "[1.5]", "refused"), ("pulses", "\"1\"", "refused"),
            ("doctor", "1", "refused"), ("doctors", "[null]", "refused"), ("home", "null", "nil"),
            ("doctor", "[7, \"Eve\", 1]", "refused"), ("mrn", "1", "refused"),
        ]
    )
    func values(property: String, text: String, expected: String) throws {
        let member = "{\"\(property)\": \(text)}"
        if expected == "refused" {
            #expect(throws: Realm.Error(.invalidInput, "")) { _ = try created(member) }
            #expect(realm.isEmpty)
            return
        }
        let patient = try created(member)
        #expect(comparableText(patient[property]) == expected)
        let unmanaged = CorpusPatient(value: try json(member))
        #expect(comparableText(unmanaged[property]) == expected)
    }

    @Test("C14: a second document changes what it names, and nothing else")
    func updating() throws {
        let first = try created(
            #"{"mrn": "A", "age": 1, "doctor": {"id": 1, "name": "Ada"}, "counts": {"a": 1, "b": 2}}"#
        )
        let second = try created(
            #"{"mrn": "A", "visits": 5, "doctor": {"id": 1}, "counts": {"b": 3}, "home": {"street": "x"}}"#,
            update: .modified
        )
        #expect(second.isSameObject(as: first))
        #expect(first.age == 1)
        #expect(first.visits == 5)
        #expect(first.doctor?.name == "Ada")
        #expect(first.counts.keys.map { $0 } == ["b"])
        #expect(first.home?.street == "x")
    }

    @Test("an array of documents is created in one transaction, or not at all")
    func many() throws {
        let good = try #require(try json(#"[{"mrn": "1"}, {"mrn": "2"}]"#) as? [Any])
        try realm.write { realm in for value in good { realm.create(CorpusPatient.self, value: value) } }
        #expect(realm.objects(CorpusPatient.self).count == 2)
        let bad = try #require(try json(#"[{"mrn": "3"}, {"mrn": "4", "age": "old"}, {"mrn": "5"}]"#) as? [Any])
        let error = #expect(throws: Realm.Error.self) {
            try realm.write { realm in for value in bad { realm.create(CorpusPatient.self, value: value) } }
        }
        #expect(error?.message.contains("CorpusPatient.age") == true)
        #expect(realm.objects(CorpusPatient.self).count == 2)
    }

    @Test("a document that is no object is refused", arguments: ["1", "\"x\"", "null", "true"])
    func fragments(_ text: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm in realm.create(CorpusPatient.self, value: value) }
        }
    }
}
