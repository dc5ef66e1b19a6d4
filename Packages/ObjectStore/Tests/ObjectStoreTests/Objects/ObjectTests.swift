import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Objects")
struct ObjectTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
        try realm.write { realm in
            realm.create(
                Home.self,
                value: [
                    "name": "Villa", "owner": ["_id": 1, "name": "Ada"], "people": [["_id": 2], ["_id": 3]],
                    "watchdog": ["name": "Rex"], "dogs": [["name": "Bo"]], "address": ["street": "Elm Street"],
                    "formerAddresses": [["street": "A"], ["street": "B"]],
                ]
            )
        }
    }

    private func home() throws -> Home { try #require(realm.objects(Home.self).first) }

    @Test("an unmanaged object is plain memory")
    func unmanaged() {
        let home = Home()
        home.name = "Hut"
        home.owner = Person.numbered(1)
        home.tags.append("x")

        #expect(home.realm == nil)
        #expect(home.owner?.name == "Person 1")
        #expect(Array(home.tags) == ["x"])
        #expect(home.tags === home.tags)
        #expect(!home.isInvalidated)
        let everything = Everything()
        #expect(everything.id == everything.id)
        #expect(everything.date == everything.date)
    }

    @Test("two accessors of one row see each other's writes at once")
    func sharedRow() throws {
        let (first, second) = (try home(), try home())

        try realm.write { realm in
            first.tags.append("new")
            first.owner?.name = "Eve"
            #expect(second.owner?.name == "Eve")
        }

        #expect(Array(second.tags) == ["new"])
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(first !== second)
    }

    @Test("objects without a primary key are equal only as instances, but can be the same object")
    func identity() throws {
        let (first, second) = (try #require(try home().watchdog), try #require(try home().watchdog))

        #expect(first != second)
        #expect(first.isSameObject(as: second))
    }

    @Test("an unmanaged object that is linked to becomes managed")
    func implicitAdd() throws {
        let dog = Dog(value: ["name": "New"])

        try realm.write { _ in
            try home().watchdog = dog
            try home().dogs.append(Dog(value: ["name": "Other"]))
        }

        #expect(dog.realm == realm)
        #expect(try home().watchdog?.name == "New")
        #expect(try home().dogs.map(\.name) == ["Bo", "Other"])
        try realm.write { _ in try home().watchdog = nil }
        #expect(try home().watchdog == nil)
    }

    @Test("deleting an object empties links and lists, and leaves its own targets alone")
    func deletion() throws {
        let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
        try realm.write { realm in
            try home().people.append(person)
            realm.delete(person)
        }

        #expect(person.isInvalidated)
        #expect(person.realm == nil)
        #expect(person.description == "Person (deleted)")
        #expect(try home().owner == nil)
        #expect(try home().people.map(\._id) == [2, 3])

        try realm.write { realm in realm.delete(try home()) }
        #expect(realm.objects(Person.self).count == 2)
        #expect(realm.objects(Dog.self).count == 2)
    }

    @Test("embedded objects are deleted with their parent, by replacing and by themselves")
    func embeddedDeletion() throws {
        let address = try #require(try home().address)
        let former = try #require(try home().formerAddresses.last)

        try realm.write { realm in try home().address = Address(value: ["street": "New"]) }
        #expect(address.isInvalidated)
        try realm.write { realm in realm.delete(former) }
        #expect(try home().formerAddresses.map(\.street) == ["A"])
        let remaining = try #require(try home().address)
        try realm.write { realm in realm.delete(try home()) }
        #expect(remaining.isInvalidated)
    }

    @Test("an embedded object has one parent: sharing it is refused, assigning it to its own place does nothing")
    func embeddedParent() throws {
        let home = try home()
        let address = try #require(home.address)
        try realm.write { _ in home.address = address }
        #expect(!address.isInvalidated)

        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm in
                let other = realm.create(Home.self, value: ["name": "Hut"])
                other.address = address
            }
        }
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { _ in home.formerAddresses[0] = home.formerAddresses[0] }
        }
    }

    @Test("the primary key of a managed object cannot be changed, not even to the same value")
    func immutableKey() throws {
        #expect(throws: Realm.Error(.invalidInput, "")) { try realm.write { _ in try home().name = "Villa" } }
        #expect(throws: Realm.Error(.invalidInput, "")) { try realm.write { _ in try home()["name"] = "Hut" } }
    }

    @Test("properties can be read and written by name")
    func subscripts() throws {
        let home = try home()
        try realm.write { realm in
            home["tags"] = ["a", "b"]
            home["owner"] = ["_id": 9, "name": "Nine"] as [String: Any]
        }

        #expect((home["owner"] as? Person)?.name == "Nine")
        #expect((home["tags"] as? List<String>).map { Array($0) } == ["a", "b"])
        #expect(throws: Realm.Error(.invalidInput, "")) { try realm.write { _ in home["tags"] = 5 } }
    }

    @Test("observers of a property run for managed and unmanaged objects")
    func propertyObservers() throws {
        let watched = Watched()
        watched.text = "a"
        let other = try TemporaryRealm([Watched.self])
        let realm = try other.open()
        try realm.write { realm in
            realm.add(watched)
            watched.text = "b"
        }

        #expect(watched.changes == ["->a", "a->b"])
    }

    @Test("stored names may differ from those of the properties")
    func mappedNames() throws {
        let begin = Date(timeIntervalSince1970: 1000)
        try realm.write { realm in realm.create(Visit.self, value: ["begin": begin]) }

        #expect(realm.objects(Visit.self).where { $0.begin == begin }.first?.reason == "check-up")
    }

    @Test("everything can be deleted at once")
    func deletingAll() throws {
        let home = try home()
        try realm.write { realm in realm.deleteAll() }

        #expect(realm.isEmpty)
        #expect(home.isInvalidated)
    }
}

private class Watched: Object {
    var changes: [String] = []
    @Persisted var text: String {
        didSet { changes.append("\(oldValue)->\(text)") }
    }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("Lists")
struct ListTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let home: Home

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
        home = try file.open()
            .write { realm in
                realm.create(Home.self, value: ["name": "Villa", "tags": ["a", "b", "c", "d"]])
            }
    }

    /// Changes a managed and an unmanaged list in the same way and expects the same result.
    private func expect(_ result: [String], _ change: (List<String>) -> Void) throws {
        let unmanaged = Home(value: ["tags": ["a", "b", "c", "d"]])
        change(unmanaged.tags)
        #expect(Array(unmanaged.tags) == result)

        try realm.write { _ in
            change(home.tags)
            #expect(Array(home.tags) == result)
        }
        let other = try #require(realm.objects(Home.self).first)
        #expect(Array(other.tags) == result)
        #expect(other.tags.count == result.count)
    }

    @Test("elements are appended, inserted and replaced")
    func inserting() throws {
        try expect(["x", "a", "B", "b", "c", "z", "e", "f"]) { list in
            list.append("d2")
            list.insert("x", at: 0)
            list.insert("B", at: 2)
            list.replace(index: 5, object: "z")
            list.removeLast()
            list.append(objectsIn: ["e", "f"])
        }
    }

    @Test("elements are removed from anywhere, and more appended after gaps")
    func removing() throws {
        try expect(["c", "x"]) { list in
            list.remove(at: 1)
            list.removeFirst()
            list.removeLast()
            list.append("x")
        }
        try realm.write { _ in home.tags.removeAll() }
        #expect(home.tags.isEmpty)
    }

    @Test("elements are moved and swapped")
    func moving() throws {
        try expect(["d", "c", "a", "b"]) { list in
            list.move(from: 3, to: 0)
            list.move(from: 3, to: 1)
            list.swapAt(2, 3)
            list.swapAt(2, 3)
        }
    }

    @Test("assigning a list replaces the contents, and itself changes nothing")
    func assigning() throws {
        let list = home.tags
        try realm.write { _ in
            home.tags = home.tags
            #expect(list.count == 4)
            home.tags = ["x"]
        }

        #expect(home.tags === list)
        #expect(Array(list) == ["x"])
    }

    @Test("an iteration goes over the elements as they were when it began")
    func iterating() throws {
        var seen: [String] = []
        try realm.write { _ in
            for tag in home.tags {
                seen.append(tag)
                home.tags.removeLast()
            }
        }

        #expect(seen == ["a", "b", "c", "d"])
        #expect(home.tags.isEmpty)
    }

    @Test("an object may be in a list several times; deleting it removes it everywhere")
    func repeatedElements() throws {
        try realm.write { realm in
            let dog = realm.create(Dog.self, value: ["name": "Rex"])
            home.dogs.append(objectsIn: [dog, Dog(value: ["name": "Bo"]), dog])
            #expect(home.dogs.map(\.name) == ["Rex", "Bo", "Rex"])
            realm.delete(dog)
        }

        #expect(home.dogs.map(\.name) == ["Bo"])
    }
}
