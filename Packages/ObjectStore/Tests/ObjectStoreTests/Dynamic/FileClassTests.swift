import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("A file that is opened with the classes that it has")
struct FileClassTests {
    private let file: TemporaryRealm

    init() throws {
        file = try TemporaryRealm { $0.schemaVersion = 7 }
        let realm = try file.open()
        try realm.write { realm in
            for number in 0..<10 { realm.add(Person.numbered(number)) }
            let rex: [String: Any] = ["name": "Rex", "age": 3]
            let address: [String: Any] = ["street": "Elm", "city": NSNull()]
            realm.create(
                Home.self,
                value: [
                    "name": "h", "owner": realm.objects(Person.self)[2], "dogs": [rex], "address": address,
                    "tags": ["a", "b"],
                ]
            )
        }
    }

    private static func asFound(_ file: TemporaryRealm) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: file.configuration.fileURL,
            encryptionKey: file.configuration.encryptionKey
        )
        configuration.usesClassesOfFile = true
        return configuration
    }

    private func found(isReadOnly: Bool = true) throws -> Realm {
        var configuration = Self.asFound(file)
        configuration.readOnly = isReadOnly
        return try Realm(configuration: configuration)
    }

    @Test("classes, properties, keys and indexes are those of the file, whatever the configuration's version")
    func schema() throws {
        let realm = try found()

        #expect(realm.schema.objectSchema.map(\.className) == Sample.types.map { $0.className() }.sorted())
        #expect(realm.schema["Person"]?.primaryKeyProperty?.name == "_id")
        #expect(realm.schema["Dog"]?["name"]?.isIndexed == true)
        #expect(realm.schema["Address"]?.isEmbedded == true)
        #expect(realm.schema["Home"]?["dogs"]?.objectClassName == "Dog")
        #expect(realm.configuration.schemaVersion == 7)
    }

    @Test("objects are read, filtered, sorted and followed by name")
    func reading() throws {
        let realm = try found()

        let people = realm.dynamicObjects("Person").filter("employeeId > 20")
            .sorted(byKeyPath: "name", ascending: false)
        #expect(people.count == 7)
        #expect(people.first?["name"] as? String == "Person 9")
        let home = try #require(realm.dynamicObject(ofType: "Home", forPrimaryKey: "h"))
        #expect((home["owner"] as? DynamicObject)?["_id"] as? Int == 2)
        #expect(home.dynamicList("dogs").first?["name"] as? String == "Rex")
        #expect(home.rowNumber != nil && DynamicObject().rowNumber == nil)
        let dog = try #require(home.dynamicList("dogs").first)
        let row = try #require(dog.rowNumber)
        #expect(realm.dynamicObject(ofType: "Dog", rowNumber: row)?["name"] as? String == "Rex")
        #expect(realm.dynamicObject(ofType: "Dog", rowNumber: row + 1000) == nil)
        #expect(realm.dynamicObject(ofType: "Dog", rowNumber: -1) == nil)
        #expect((home["address"] as? DynamicObject)?["street"] as? String == "Elm")
        #expect(realm.dynamicObjects("Home").filter("owner.name == 'Person 2' AND ANY dogs.age == 3").count == 1)
    }

    @MainActor
    @Test("it can be opened twice on a thread, and beside instances that know the classes on others")
    func twice() async throws {
        let realm = try found(isReadOnly: false)
        let again = try found(isReadOnly: false)
        #expect(realm == again)

        let count = try await file.inSecondInstance { other in
            try other.write { other.add(Person.numbered(99)) }
            return other.objects(Person.self).count
        }
        #expect(count == 11)
        realm.refresh()
        #expect(realm.dynamicObjects("Person").count == 11)
    }

    @Test("what is written in it is read by the program, and its indexes stay")
    func writing() throws {
        do {
            let realm = try found(isReadOnly: false)
            try realm.write {
                realm.dynamicCreate("Dog", value: ["name": "Ada", "age": 1])
                realm.dynamicObject(ofType: "Person", forPrimaryKey: 3)?["name"] = "Changed"
                realm.delete(realm.dynamicObjects("Person").filter("_id == 4"))
            }
        }
        let realm = try file.open()

        #expect(realm.objects(Dog.self).where { $0.name == "Ada" }.first?.age == 1)
        #expect(realm.object(ofType: Person.self, forPrimaryKey: 3)?.name == "Changed")
        #expect(realm.object(ofType: Person.self, forPrimaryKey: 4) == nil)
        #expect(realm.schema["Dog"]?["name"]?.isIndexed == true)
    }

    @Test("what a new object is not given is nothing, zero, or an id of its own, whatever the class is")
    func beginnings() throws {
        do {
            let realm = try found(isReadOnly: false)
            try realm.write {
                for _ in 0..<2 { realm.dynamicCreate("Everything") }
                realm.dynamicCreate(
                    "Home",
                    value: ["name": "new", "address": [String: Any](), "people": [["_id": 77]]]
                )
                realm.dynamicCreate("Person", value: ["_id": 3, "name": "Changed"], update: .modified)
                realm.dynamicCreate("Person", value: ["_id": 78], update: .all)
            }
        }
        let realm = try file.open()

        let all = realm.objects(Everything.self)
        #expect(Set(all.map(\.id)).count == 2)
        let first = try #require(all.first)
        #expect(first.int == 0 && first.string == "" && !first.bool && first.decimal == 0 && first.optionalInt == nil)
        let home = try #require(realm.object(ofType: Home.self, forPrimaryKey: "new"))
        #expect(home.owner == nil && home.tags.isEmpty && home.address?.street == "" && home.address?.city == nil)
        #expect(home.people.map(\._id) == [77] && home.people.first?.name == "")
        let changed = try #require(realm.object(ofType: Person.self, forPrimaryKey: 3))
        #expect(changed.name == "Changed" && changed.employeeId == 21)
        #expect(realm.object(ofType: Person.self, forPrimaryKey: 78)?.userId == nil)
    }

    @Test("an object of another file that is opened so is copied by the names of its class and properties")
    func otherFile() throws {
        let other = try TemporaryRealm([Dog.self, Visit.self, Person.self])
        do { _ = try other.open() }
        let configuration = Self.asFound(other)
        let target = try Realm(configuration: configuration)
        let source = try found()
        let rex = try #require(source.dynamicObjects("Dog").first)
        let person = try #require(source.dynamicObject(ofType: "Person", forPrimaryKey: 5))

        try target.write {
            target.dynamicCreate("Dog", value: rex)
            target.dynamicCreate("Person", value: person)
        }

        #expect(target.dynamicObjects("Dog").first?["name"] as? String == "Rex")
        #expect(target.dynamicObjects("Person").first?["name"] as? String == "Person 5")
        #expect(target.dynamicObjects("Person").count == 1)
    }

    @Test("a value of any type links to a dynamic object, in a realm of the program's classes as in one of the file's")
    func anyLinks() throws {
        let place = try TemporaryRealm([Holder.self, Dog.self])
        do {
            let realm = try place.open()
            try realm.write {
                let dog = realm.dynamicCreate("Dog", value: ["name": "Ada"])
                realm.create(Holder.self, value: ["any": AnyRealmValue.object(dog)])
            }
            #expect(realm.objects(Holder.self).first?.any.object(Dog.self)?.name == "Ada")
        }
        let configuration = Self.asFound(place)
        let realm = try Realm(configuration: configuration)
        let dog = try #require(realm.dynamicObjects("Dog").first)
        try realm.write { realm.dynamicCreate("Holder", value: ["any": AnyRealmValue.object(dog)]) }
        let names = realm.dynamicObjects("Holder").map { ($0["any"] as? DynamicObject)?["name"] as? String }
        #expect(Array(names) == ["Ada", "Ada"])
    }

    @Test("a file that is not there, or that is no realm, is refused with a sentence")
    func refused() throws {
        var configuration = Realm.Configuration(fileURL: file.folder.appendingPathComponent("none.realm"))
        configuration.usesClassesOfFile = true
        #expect(throws: Realm.Error(.fileNotFound, "")) { try Realm(configuration: configuration) }
        let text = file.folder.appendingPathComponent("text.realm")
        try Data("no realm".utf8).write(to: text)
        configuration.fileURL = text
        #expect(throws: Realm.Error(.invalidDatabase, "")) { try Realm(configuration: configuration) }
        configuration.objectTypes = [Person.self]
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(error?.message.contains("has a file, and no 'objectTypes'") == true)
    }

    @Test("an instance with classes of the program on the same thread is in the way, and said to be")
    func inTheWay() throws {
        let realm = try file.open()

        let error = #expect(throws: Realm.Error.self) { try found(isReadOnly: false) }

        #expect(error?.code == .alreadyOpen)
        #expect(error?.message.contains("close that instance") == true)
        withExtendedLifetime(realm) {}
    }

    @Test("a file that keeps its changes is read, and not written")
    func keepingChanges() throws {
        let kept = try TemporaryRealm([Person.self]) { $0.keepsChanges = true }
        do {
            let realm = try kept.open()
            try realm.write { realm in realm.add(Person.numbered(1)) }
        }
        var configuration = Self.asFound(kept)

        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(error?.code == .invalidInput)
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        #expect(realm.dynamicObjects("Person").count == 1)
    }
}

private class Holder: Object {
    @Persisted var any: AnyRealmValue
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
