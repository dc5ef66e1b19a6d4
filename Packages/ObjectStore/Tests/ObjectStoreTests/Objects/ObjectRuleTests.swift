import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private class RuleWatched: Object {
    var changes: [String] = []
    @Persisted var text: String { didSet { changes.append(text) } }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private enum RuleOuter {
    class Inner: Object {
        @Persisted var text: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private class RuleRenamed: Object {
    @Persisted var text: String
    override class func _realmObjectName() -> String? { "Other" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class RuleBase: Object {
    @Persisted private var text: String
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class RuleDerived: RuleBase {
    @Persisted var text: String
}

@Suite("Rules of objects")
struct ObjectRuleTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
    }

    @Test("O1: an unmanaged object is plain memory: everything can change, the key too, on any thread")
    func unmanaged() throws {
        let person = Person(value: ["_id": 1])
        let home = Home(value: ["owner": person])
        person._id = 2
        home.tags.append("a")
        home.tags[0] = "b"
        #expect(home.owner === person)
        #expect(home.owner?._id == 2)
        #expect(Array(home.tags) == ["b"])

        try onThread {
            let node = Node(value: ["id": "a", "children": [["id": "b"]]])
            node.id = nil
            node.children[0].id = "c"
            #expect(node.children.map(\.id) == ["c"])
        }
    }

    @Test("O2: two accessors of one row see each other's writes at once")
    func accessors() throws {
        let person = Person.numbered(1)
        try realm.write { realm in
            realm.add(person)
            let other = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
            person.name = "Ada"
            #expect(other.name == "Ada")
            other.score = 7
            #expect(person.score == 7)
        }
    }

    @Test("O3: a frozen object cannot be set, with a sentence of its own")
    func frozen() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            let realm = try file.open()
            let person = try realm.write { realm in realm.create(Person.self) }
            let frozen = person.freeze()
            realm.beginWrite()
            frozen.name = "x"
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("frozen"), "\(message.suffix(400))")
    }

    @Test("O4: the key of a managed object is set by nothing, not even to the value that it has")
    func key() throws {
        let person = Person.numbered(1)
        try realm.write { realm in realm.add(person) }
        let attempts: [() -> Void] = [
            { person._id = 2 }, { person._id = 1 }, { person["_id"] = 1 }, { person.setValue(2, forKey: "_id") },
        ]
        for attempt in attempts {
            #expect(throws: Realm.Error(.invalidInput, "")) { try realm.write { _ in attempt() } }
            #expect(person._id == 1)
        }
    }

    @Test("O6: a deleted object is invalidated for all of its accessors, and its description says so")
    func deleted() throws {
        let person = Person.numbered(1)
        try realm.write { realm in realm.add(person) }
        let other = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
        try realm.write { realm in realm.delete(person) }

        for object in [person, other] {
            #expect(object.isInvalidated)
            #expect(object.realm == nil)
            #expect(object.description.contains("deleted"))
        }
    }

    @Test("O7: objects are equal by row when their class has a key, by instance when not; unmanaged ones never are")
    func equality() throws {
        let (person, dog) = (Person.numbered(1), Dog(value: ["name": "Rex"]))
        try realm.write { realm in
            realm.add(person)
            realm.add(dog)
        }
        let (samePerson, sameDog) = (
            try #require(realm.objects(Person.self).first), try #require(realm.objects(Dog.self).first)
        )

        #expect(person == samePerson && person.hashValue == samePerson.hashValue)
        #expect(dog == dog && dog != sameDog)
        #expect(dog.isSameObject(as: sameDog))
        #expect(person != Person.numbered(1))
        #expect(Person.numbered(1) != Person.numbered(1))
        #expect(Set([person, samePerson]).count == 1)
    }

    @Test("O13: the name of a class is its own without the types around it, or the one that it returns")
    func names() {
        #expect(Person.className() == "Person")
        #expect(RuleOuter.Inner.className() == "Inner")
        #expect(RuleRenamed.className() == "Other")
    }

    @Test("O14: observers of a property run for typed assignments, not for values by name or in an initializer")
    func observers() throws {
        let file = try TemporaryRealm([RuleWatched.self])
        let realm = try file.open()
        let watched = RuleWatched(value: ["text": "a"])
        watched["text"] = "b"
        #expect(watched.changes.isEmpty)
        watched.text = "c"
        try realm.write { realm in
            realm.add(watched)
            watched["text"] = "d"
            watched.text = "e"
        }
        #expect(watched.changes == ["c", "e"])
    }

    @Test("O16: one name twice in a class and its superclass is an error of the schema")
    func doubleNames() throws {
        let file = try TemporaryRealm([RuleDerived.self])
        let error = #expect(throws: Realm.Error.self) { _ = try file.open() }
        #expect(error?.message.contains("has two properties 'text'") == true)
    }
}
