import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("What a class says of its properties by name")
struct NamedDeclarationTests {
    @Test("the method names the primary key and the indexes as the marks at the declarations would")
    func named() throws {
        let realm = try TemporaryRealm([NamedKeyed.self]).open()

        try realm.write { realm in realm.create(NamedKeyed.self, value: ["code": "a", "size": 3]) }

        #expect(realm.object(ofType: NamedKeyed.self, forPrimaryKey: "a")?.size == 3)
        let schema = try #require(realm.schema["NamedKeyed"])
        #expect(schema.primaryKeyProperty?.name == "code")
        #expect(schema.properties.filter(\.isIndexed).map(\.name).sorted() == ["code", "size"])
        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write { realm in realm.create(NamedKeyed.self, value: ["code": "a"]) }
        }
    }

    @Test("the shared schema says what is stored, whether it was marked or named, without a realm")
    func shared() throws {
        #expect(NamedKeyed.sharedSchema()?.primaryKeyProperty?.name == "code")
        #expect(Person.sharedSchema()?.properties.map(\.name) == Person().objectSchema.properties.map(\.name))
        #expect(NamedWrongly.sharedSchema() == nil)
    }

    @Test("a class that says nothing has empty answers")
    func silent() {
        #expect(Person.primaryKey() == nil)
        #expect(Person.indexedProperties().isEmpty && Person.ignoredProperties().isEmpty)
        #expect(Person.propertiesMapping().isEmpty)
    }

    @Test("names that fit no property are all refused at once")
    func wrong() throws {
        let file = try TemporaryRealm([NamedWrongly.self, NamedOddly.self])

        let error = #expect(throws: Realm.Error.self) { try file.open() }

        #expect(
            error?.details.sorted() == [
                "The class 'NamedWrongly' has no persisted property 'gone', which is to have an index.",
                "The primary key 'nothing' of the class 'NamedWrongly' is not one of its persisted properties.",
                "The property 'NamedOddly.flags' is a list and cannot have an index.",
                "The property 'NamedOddly.ratio' is a value of type double and cannot be a primary key.",
                "The property 'NamedWrongly.stored' is persisted and ignored: take '@Persisted' or the name away.",
            ]
        )
    }

    @Test("a key that is marked and another that is named are two keys")
    func twoKeys() throws {
        let error = #expect(throws: Realm.Error.self) { try TemporaryRealm([NamedTwice.self]).open() }

        #expect(error?.message == "The class 'NamedTwice' has 2 primary keys: only one is possible.")
    }
}

private class NamedKeyed: Object {
    @Persisted var code: String
    @Persisted var size: Int
    var shown = 0
    override class func primaryKey() -> String? { "code" }
    override class func indexedProperties() -> [String] { ["size"] }
    override class func ignoredProperties() -> [String] { ["shown"] }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class NamedWrongly: Object {
    @Persisted var stored: Int
    override class func primaryKey() -> String? { "nothing" }
    override class func indexedProperties() -> [String] { ["gone"] }
    override class func ignoredProperties() -> [String] { ["stored"] }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class NamedOddly: Object {
    @Persisted var ratio: Double
    @Persisted var flags: List<Int>
    override class func primaryKey() -> String? { "ratio" }
    override class func indexedProperties() -> [String] { ["flags"] }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class NamedTwice: Object {
    @Persisted(primaryKey: true) var one: Int
    @Persisted var two: Int
    override class func primaryKey() -> String? { "two" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
