import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

/// A property of `Everything`, a value in JSON, and what must come of it; nil when it must be refused.
private struct JSONCase: Sendable, CustomStringConvertible {
    let property: String
    let text: String
    let check: (@Sendable (Everything) -> Bool)?

    var description: String { "\(property): \(text)" }

    init(_ property: String, _ text: String, _ check: (@Sendable (Everything) -> Bool)? = nil) {
        self.property = property
        self.text = text
        self.check = check
    }

    static let all: [JSONCase] = integers + numbers + texts + nulls

    private static let integers: [JSONCase] = [
        JSONCase("int", "0") { $0.int == 0 },
        JSONCase("int", "-1") { $0.int == -1 },
        JSONCase("int", "9007199254740993") { $0.int == 9_007_199_254_740_993 },
        JSONCase("int", "9223372036854775807") { $0.int == .max },
        JSONCase("int", "-9223372036854775808") { $0.int == .min },
        JSONCase("int", "-9223372036854775807") { $0.int == -.max },
        JSONCase("int", "true") { $0.int == 1 },
        JSONCase("int", "9223372036854775808"), JSONCase("int", "-9223372036854775809"),
        JSONCase("int", "18446744073709551616"), JSONCase("int", "1.0"), JSONCase("int", "1e3"), JSONCase("int", "1.5"),
        JSONCase("int", "\"1\""), JSONCase("int", "[1]"), JSONCase("int", "{}"),
        JSONCase("int8", "-128") { $0.int8 == -128 },
        JSONCase("int8", "128"),
        JSONCase("int16", "32767") { $0.int16 == 32767 },
        JSONCase("int16", "32768"),
        JSONCase("int32", "2147483647") { $0.int32 == .max },
        JSONCase("int32", "2147483648"),
        JSONCase("int64", "9223372036854775807") { $0.int64 == .max },
        JSONCase("bool", "true") { $0.bool },
        JSONCase("bool", "false") { !$0.bool },
        JSONCase("bool", "1") { $0.bool },
        JSONCase("bool", "0") { !$0.bool },
        JSONCase("bool", "2"), JSONCase("bool", "1.0"), JSONCase("bool", "\"true\""),
    ]

    private static let numbers: [JSONCase] = [
        JSONCase("float", "1") { $0.float == 1 },
        JSONCase("float", "1.5") { $0.float == 1.5 },
        JSONCase("float", "-0.1") { $0.float == -0.1 },
        JSONCase("float", "1e300"), JSONCase("float", "true"), JSONCase("float", "\"1.5\""),
        JSONCase("double", "1") { $0.double == 1 },
        JSONCase("double", "0.1") { $0.double == 0.1 },
        JSONCase("double", "1e300") { $0.double == 1e300 },
        // Numbers with many digits arrive as decimals, whose own conversion is not exact.
        JSONCase("double", "0.30000000000000004") { $0.double == 0.1 + 0.2 },
        JSONCase("double", "-9223372036854775808") { $0.double == -0x1p63 },
        JSONCase("double", "18446744073709551616") { $0.double == 0x1p64 },
        JSONCase("float", "0.30000000000000004") { $0.float == 0.3 },
        JSONCase("decimal", "0.30000000000000004") { "\($0.decimal)" == "0.30000000000000004" },
        JSONCase("decimal", "-9223372036854775809") { "\($0.decimal)" == "-9223372036854775809" },
        JSONCase("double", "false"), JSONCase("double", "\"0.1\""),
        JSONCase("decimal", "5") { $0.decimal == 5 },
        JSONCase("decimal", "0.25") { $0.decimal == 0.25 },
        JSONCase("decimal", "\"5\"") { $0.decimal == 5 },
        JSONCase("decimal", "\"five\""), JSONCase("decimal", "true"), JSONCase("decimal", "[]"),
        JSONCase("triage", "3") { $0.triage == .red },
        JSONCase("triage", "2"), JSONCase("triage", "\"red\""),
    ]

    private static let texts: [JSONCase] = [
        JSONCase("string", "\"\"") { $0.string.isEmpty },
        JSONCase("string", "\"a\\u0000b 👩‍⚕️\"") { $0.string == "a\u{0}b 👩‍⚕️" },
        JSONCase("string", "1"), JSONCase("string", "true"), JSONCase("string", "[\"a\"]"),
        JSONCase("uuid", "\"00000000-0000-0000-0000-0000000000FF\"") { $0.uuid.uuid.15 == 255 },
        JSONCase("uuid", "\"none\""), JSONCase("uuid", "1"),
        JSONCase("ward", "\"intensiveCare\"") { $0.ward == .intensiveCare },
        JSONCase("ward", "\"garden\""), JSONCase("ward", "0"),
        // Nothing is inferred from text that has to be converted first.
        JSONCase("date", "\"2020-01-01T00:00:00Z\""), JSONCase("date", "1577836800"),
        JSONCase("data", "\"AAAA\""), JSONCase("data", "[0, 1]"),
        JSONCase("id", "\"507f1f77bcf86cd799439011\""),
        JSONCase("optionalDate", "\"2020-01-01T00:00:00Z\""), JSONCase("optionalData", "\"AAAA\""),
        JSONCase("optionalObjectId", "\"507f1f77bcf86cd799439011\""),
    ]

    private static let nulls: [JSONCase] =
        ["int", "int8", "bool", "float", "double", "string", "date", "data", "uuid", "decimal", "ward", "triage", "id"]
        .map { JSONCase($0, "null") } + [
            JSONCase("optionalInt", "null") { $0.optionalInt == nil },
            JSONCase("optionalBool", "null") { $0.optionalBool == nil },
            JSONCase("optionalFloat", "null") { $0.optionalFloat == nil },
            JSONCase("optionalDouble", "null") { $0.optionalDouble == nil },
            JSONCase("optionalString", "null") { $0.optionalString == nil },
            JSONCase("optionalDate", "null") { $0.optionalDate == nil },
            JSONCase("optionalData", "null") { $0.optionalData == nil },
            JSONCase("optionalUUID", "null") { $0.optionalUUID == nil },
            JSONCase("optionalDecimal", "null") { $0.optionalDecimal == nil },
            JSONCase("optionalWard", "null") { $0.optionalWard == nil },
            JSONCase("optionalInt", "7") { $0.optionalInt == 7 },
            JSONCase("optionalBool", "true") { $0.optionalBool == true },
            JSONCase("optionalFloat", "0.5") { $0.optionalFloat == 0.5 },
            JSONCase("optionalWard", "\"surgery\"") { $0.optionalWard == .surgery },
            JSONCase("optionalInt", "7.5"), JSONCase("optionalString", "7"),
        ]
}

@Suite("Creating: values from JSON")
struct JSONRowTests {
    private let page: PageRealm
    private var realm: Realm { page.realm }

    init() throws { page = try PageRealm() }

    private func create(_ text: String, update: Realm.UpdatePolicy = .error) throws -> PagePerson {
        let value = try PageRealm.json(text)
        return try realm.write { realm in realm.create(PagePerson.self, value: value, update: update) }
    }

    // MARK: Row 16

    @Test("Row 16: what JSONSerialization makes of a text is created, and created again with a policy")
    func serialization() throws {
        let person = try create("{\"id\": 1, \"name\": \"Ada\"}")
        #expect(person.name == "Ada")

        let updated = try create("{\"id\": 1, \"name\": \"Eve\"}", update: .modified)
        #expect(updated.isSameObject(as: person))
        #expect(person.name == "Eve")
        #expect(try create("[1, \"Ann\"]", update: .all).name == "Ann")
        #expect(page.people.count == 1)
        #expect(throws: Realm.Error(.objectAlreadyExists, "")) { try create("{\"id\": 1}") }
    }

    @Test("Row 16: an array of JSON objects is created one by one; as the value of one object it is refused")
    func arrays() throws {
        let values = try #require(try PageRealm.json("[{\"name\": \"Rex\"}, {\"name\": \"Bo\"}]") as? [Any])
        try realm.write { realm in for value in values { realm.create(PageDog.self, value: value) } }
        #expect(page.dogs.map(\.name) == ["Rex", "Bo"])

        #expect(page.error { realm in realm.create(PageDog.self, value: values) }?.code == .invalidInput)
    }

    // MARK: Row 17

    @Test("Row 17: nested objects and arrays become to-one and to-many relationships")
    func relationships() throws {
        let person = try create(
            """
            {"id": 1, "name": "Ada", "dog": {"name": "Rex", "age": 3}, "dogs": [{"name": "Bo"}, ["Max", 2]],
             "dogSet": [{"name": "Pip"}], "dogsByName": {"t": {"name": "Tim"}, "n": null},
             "address": {"street": "Elm Street", "place": {"latitude": 48, "longitude": 16.5}},
             "formerAddresses": [{"street": "Oak Street", "city": null}], "friends": [{"id": 2}], "friend": null}
            """
        )

        #expect(person.dog?.age == 3)
        #expect(person.dogs.map(\.name) == ["Bo", "Max"])
        #expect(person.dogs.map(\.age) == [0, 2])
        #expect(person.dogSet.map(\.name) == ["Pip"])
        #expect(person.dogsByName["t"]??.name == "Tim")
        #expect(person.dogsByName["n"] == .some(nil))
        #expect(person.address?.place?.latitude == 48)
        #expect(person.formerAddresses.map(\.city) == [nil])
        #expect(person.friends.map(\.id) == [2])
        #expect(person.friend == nil)
    }

    @Test("Row 17: sets, maps and values of any type take what JSON has")
    func collections() throws {
        let value = try PageRealm.json(
            """
            {"citiesVisited": ["Linz", "Wien", "Linz"], "favoriteParksByCity": {"Linz": "Volksgarten"},
             "companion": {"kinds": ["cat", 1, 1.5, true, false, null, 9223372036854775807], "of": {}}}
            """
        )
        let dog = try realm.write { realm in realm.create(PageDog.self, value: value) }

        #expect(Set(dog.citiesVisited) == ["Linz", "Wien"])
        #expect(dog.favoriteParksByCity["Linz"] == "Volksgarten")
        let kinds = dog.companion.dictionaryValue?["kinds"]?.listValue.map { Array($0) }
        #expect(kinds == [.string("cat"), .int(1), .double(1.5), .bool(true), .bool(false), .none, .int(.max)])
        #expect(dog.companion.dictionaryValue?["of"]?.dictionaryValue?.count == 0)
    }

    @Test("Row 17: objects with a key are found by it under a policy, those without are made anew or kept in place")
    func updatingRelationships() throws {
        let person = try create(
            "{\"id\": 1, \"dog\": {\"name\": \"Rex\", \"age\": 3}, \"friend\": {\"id\": 2, \"name\": \"Bob\"}}"
        )
        let (dog, friend) = (try #require(person.dog), try #require(person.friend))

        _ = try create("{\"id\": 1, \"dog\": {\"name\": \"Max\"}, \"friend\": {\"id\": 2}}", update: .modified)
        #expect(person.dog?.isSameObject(as: dog) == true)
        #expect(dog.name == "Max")
        #expect(dog.age == 3)
        #expect(friend.name == "Bob")

        _ = try create(
            "{\"id\": 1, \"dog\": {\"name\": \"Pip\"}, \"friend\": {\"id\": 2, \"name\": \"Bo\"}}",
            update: .all
        )
        #expect(person.dog?.isSameObject(as: dog) == false)
        #expect(person.dog?.age == 0)
        #expect(friend.name == "Bo")
        #expect(page.people.count == 2)
    }

    // MARK: Row 18

    @Test("Row 18: the types of JSON must match exactly, for create, initializers and key-value coding alike")
    func types() throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        for row in JSONCase.all {
            let value = try #require(try PageRealm.json("{\"\(row.property)\": \(row.text)}") as? [String: Any])
            realm.beginWrite()
            let created = realm.create(Everything.self, value: value)
            if let check = row.check {
                #expect(realm.transactionError == nil, "\(row)")
                #expect(check(created), "\(row)")
                #expect(check(Everything(value: value)), "\(row)")
                let (unmanaged, managed) = (Everything(), realm.create(Everything.self))
                unmanaged.setValue(value[row.property], forKey: row.property)
                #expect(check(unmanaged), "\(row)")
                if row.property != "id" { managed[row.property] = value[row.property] }
                #expect(check(managed), "\(row)")
                try realm.commitWrite()
            } else {
                let error = #expect(throws: Realm.Error.self, "\(row)") { try realm.commitWrite() }
                #expect(error?.code == .invalidInput, "\(row)")
                #expect(error?.message.contains("'Everything.\(row.property)'") == true, "\(row)")
            }
        }
        #expect(realm.objects(Everything.self).count == 2 * JSONCase.all.filter { $0.check != nil }.count)
    }

    @Test("Row 18: null for a required property is an error, a property that is missing has its default")
    func requiredProperties() throws {
        #expect(try create("{\"id\": 1}").name.isEmpty)
        #expect(
            page.error { realm in
                realm.create(PagePerson.self, value: try PageRealm.json("{\"id\": 2, \"name\": null}"))
            }?
            .message.contains("'PagePerson.name'") == true
        )
        #expect(
            page.error { realm in
                realm.create(PagePerson.self, value: try PageRealm.json("{\"id\": null}"))
            }?
            .message.contains("'PagePerson.id'") == true
        )
        #expect(page.people.count == 1)
    }

    @Test("Row 18: null for a relationship is none, for a collection it is empty, also when it replaces others")
    func nullRelationships() throws {
        let person = try create(
            """
            {"id": 1, "dog": {}, "dogs": [{}], "dogSet": [{}], "dogsByName": {"a": {}}, "address": {},
             "formerAddresses": [{}], "addressesByKind": {"a": {}}}
            """
        )
        let address = try #require(person.address)

        _ = try create(
            """
            {"id": 1, "dog": null, "dogs": null, "dogSet": null, "dogsByName": null, "address": null,
             "formerAddresses": null, "addressesByKind": null}
            """,
            update: .modified
        )

        #expect(person.dog == nil && person.address == nil)
        #expect(person.dogs.isEmpty && person.dogSet.isEmpty && person.dogsByName.count == 0)
        #expect(person.formerAddresses.isEmpty && person.addressesByKind.count == 0)
        #expect(address.isInvalidated)
        #expect(realm.objects(PageDog.self).count == 4)
    }

    @Test(
        "Row 18: a relationship of the wrong form is an error that names it",
        arguments: [
            ("dog", "1"), ("dog", "\"Rex\""), ("dogs", "{\"name\": \"Rex\"}"), ("dogs", "\"Rex\""), ("dogs", "[1]"),
            ("dogs", "[null]"), ("dogSet", "true"), ("dogSet", "[\"a\"]"), ("dogsByName", "[{}]"),
            ("dogsByName", "{\"a\": 1}"), ("address", "5"), ("formerAddresses", "[[[]]]"), ("friends", "{\"id\": 1}"),
        ]
    )
    func wrongForms(_ property: String, _ text: String) throws {
        let value = try PageRealm.json("{\"id\": 1, \"\(property)\": \(text)}")

        let error = page.error { realm in realm.create(PagePerson.self, value: value) }

        #expect(error?.code == .invalidInput)
        #expect(
            error?.message.contains("'PagePerson.\(property)'") == true
                || error?.message.contains("PageAddress") == true,
            "\(error?.message ?? "")"
        )
        #expect(page.realm.isEmpty)
    }

    @Test(
        "Row 18: the elements of scalar collections must match, too",
        arguments: [
            ("citiesVisited", "[1]"), ("citiesVisited", "[null]"), ("citiesVisited", "\"Linz\""),
            ("favoriteParksByCity", "{\"a\": 1}"), ("favoriteParksByCity", "{\"a\": null}"),
            ("favoriteParksByCity", "[\"a\"]"),
        ]
    )
    func wrongElements(_ property: String, _ text: String) throws {
        let value = try PageRealm.json("{\"\(property)\": \(text)}")
        let error = page.error { realm in realm.create(PageDog.self, value: value) }
        #expect(error?.message.contains("'PageDog.\(property)'") == true)
        #expect(page.dogs.isEmpty)
    }

    // MARK: Row 19

    @Test("Row 19: what the schema does not have is ignored, at every depth")
    func unknownProperties() throws {
        let person = try create(
            """
            {"id": 1, "unknown": {"deep": [1, {"a": null}]}, "dog": {"name": "Rex", "unknown": 1},
             "dogs": [{"unknown": []}], "address": {"street": "Elm Street", "unknown": null}, "description": "x",
             "realm": 5, "": 1}
            """
        )
        #expect(person.dog?.name == "Rex")
        #expect(person.dogs.count == 1)
        #expect(person.address?.street == "Elm Street")
    }

    @Test("Row 19: keys of one object that come twice are what the parser makes of them, empty ones are nothing")
    func doubleKeys() throws {
        let value = try #require(try PageRealm.json("{\"id\": 1, \"name\": \"a\", \"name\": \"b\"}") as? [String: Any])
        let person = try realm.write { realm in realm.create(PagePerson.self, value: value) }
        #expect(person.name == value["name"] as? String)
        #expect(try create("{}").id == 0)
    }

    @Test("Row 19: JSON that is nested too deeply is an error, not a crash")
    func deepNesting() throws {
        let depth = 300
        let friends = String(repeating: "{\"friend\": ", count: depth) + "{}" + String(repeating: "}", count: depth)
        let lists = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)

        #expect(
            page.error { realm in
                realm.create(PagePerson.self, value: try PageRealm.json(friends))
            }?
            .message.contains("nested deeper") == true
        )
        #expect(
            page.error { realm in
                realm.create(PageDog.self, value: ["companion": try PageRealm.json(lists)])
            }?
            .message.contains("nested deeper") == true
        )
        #expect(page.realm.isEmpty)
    }

    // MARK: Row 20

    @Test("Row 20: JSON of another form is decoded by a Codable class, with the decoder's strategies, and added")
    func decodable() throws {
        let text = """
            {"_id": "507f1f77bcf86cd799439011", "full_name": "Ada", "born": "1815-12-10T00:00:00Z", "picture": "AAE=",
             "friends": [{"_id": "507f1f77bcf86cd799439012", "full_name": "Bob", "born": "1820-01-01T00:00:00Z",
                          "friends": []}], "unknown": 1}
            """
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601

        let contact = try decoder.decode(PageContact.self, from: Data(text.utf8))
        try realm.write { realm in realm.add(contact) }

        #expect(contact.realm == realm)
        #expect(contact.id == ObjectId("507f1f77bcf86cd799439011"))
        #expect(contact.name == "Ada")
        #expect(contact.born == Date(timeIntervalSince1970: -4_861_728_000))
        #expect(contact.picture == Data([0, 1]))
        #expect(contact.friends.first?.name == "Bob")
        #expect(realm.objects(PageContact.self).count == 2)

        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let again = try decoder.decode(PageContact.self, from: encoder.encode(contact))
        try realm.write { realm in realm.add(again, update: .modified) }
        #expect(again.isSameObject(as: contact))
        #expect(realm.objects(PageContact.self).count == 2)
    }
}
