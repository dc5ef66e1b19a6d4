import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Rules of creating and adding")
struct CreatingRuleTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
    }

    @Test("C1: an object that the realm manages is added again without effect, a deleted one is an error")
    func adding() throws {
        let dog = Dog(value: ["name": "Rex"])
        try realm.write { realm in
            realm.add(dog)
            realm.add([dog, dog])
        }
        #expect(realm.objects(Dog.self).count == 1)
        try realm.write { realm in realm.delete(dog) }
        #expect(throws: Realm.Error(.invalidInput, "")) { try realm.write { realm in realm.add(dog) } }
    }

    @Test("C4: create makes no instance managed that it is given, at any depth")
    func creating() throws {
        let dog = Dog(value: ["name": "Rex"])
        let home = Home(value: ["name": "Villa", "watchdog": dog, "dogs": [dog]])
        let created = try realm.write { realm in realm.create(Home.self, value: home) }

        #expect(created !== home)
        #expect(home.realm == nil && dog.realm == nil && home.dogs.realm == nil)
        #expect(created.watchdog?.name == "Rex")
        #expect(created.dogs.first?.name == "Rex")
    }

    @Test("C5: a managed object is a duplicate, itself under a policy, linked when nested, and copied when embedded")
    func managedValues() throws {
        let home = try realm.write { realm in
            realm.create(
                Home.self,
                value: ["name": "Villa", "watchdog": ["name": "Rex"], "address": ["street": "Elm Street"]]
            )
        }
        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write { realm in realm.create(Home.self, value: home) }
        }
        let same = try realm.write { realm in realm.create(Home.self, value: home, update: .all) }
        #expect(same.isSameObject(as: home))

        let other = try realm.write { realm in
            let values: [String: Any] = [
                "name": "Hut", "watchdog": home.watchdog as Any, "address": home.address as Any,
            ]
            return realm.create(Home.self, value: values)
        }
        #expect(other.watchdog?.isSameObject(as: home.watchdog) == true)
        #expect(other.address?.isSameObject(as: home.address) == false)
        #expect(other.address?.street == "Elm Street")
    }

    @Test("C9: a nested value without a key updates what is linked under modified, and is a new object under all")
    func keylessValues() throws {
        let home = try realm.write { realm in
            realm.create(
                Home.self,
                value: ["name": "Villa", "watchdog": ["Rex", 3], "dogs": [["Bo", 1], ["Max", 2]]] as [String: Any]
            )
        }
        let (watchdog, bo) = (try #require(home.watchdog), try #require(home.dogs.first))

        let changed: [String: Any] = ["name": "Villa", "watchdog": ["name": "New"], "dogs": [["name": "Newer"]]]
        try realm.write { realm in realm.create(Home.self, value: changed, update: .modified) }
        #expect(home.watchdog?.isSameObject(as: watchdog) == true)
        #expect(watchdog.name == "New" && watchdog.age == 3)
        #expect(home.dogs.count == 1)
        #expect(home.dogs.first?.isSameObject(as: bo) == true)
        #expect(bo.name == "Newer" && bo.age == 1)

        try realm.write { realm in realm.create(Home.self, value: changed, update: .all) }
        #expect(home.watchdog?.isSameObject(as: watchdog) == false)
        #expect(home.watchdog?.age == 0)
        #expect(home.dogs.first?.isSameObject(as: bo) == false)
    }

    @Test("C10: a key that is there is an error with its class and value; nil is a key like others")
    func duplicates() throws {
        try realm.write { realm in
            realm.create(Node.self, value: ["id": "a"])
            realm.create(Node.self)
        }
        for (value, key) in [(["id": "a"] as [String: Any], "a"), ([:], "null")] {
            let error = #expect(throws: Realm.Error.self) {
                try realm.write { realm in realm.create(Node.self, value: value) }
            }
            #expect(error?.code == .objectAlreadyExists)
            #expect(error?.message.contains("'Node'") == true)
            #expect(error?.details == [key])
        }
    }

    @Test("C15: an object that is added to an existing key is the existing object then")
    func addingToKey() throws {
        let existing = Person.numbered(1)
        try realm.write { realm in realm.add(existing) }
        let added = Person(value: ["_id": 1, "name": "New"])
        try realm.write { realm in realm.add(added, update: .modified) }

        #expect(added.isSameObject(as: existing))
        try realm.write { added.name = "Newer" }
        #expect(existing.name == "Newer")
    }

    // MARK: Collections

    @Test("L4: results are live, also while a transaction is open, and come in the order of creation")
    func liveResults() throws {
        let dogs = realm.objects(Dog.self).where { $0.age < 5 }
        #expect(dogs.isEmpty)
        try realm.write { realm in
            for (name, age) in [("b", 1), ("a", 2), ("c", 9)] { realm.create(Dog.self, value: [name, age] as [Any]) }
            #expect(dogs.map(\.name) == ["b", "a"])
        }
        try realm.write { dogs.first?.age = 5 }
        #expect(dogs.map(\.name) == ["a"])
    }

    @Test("L8: collections of unmanaged objects are sorted in memory")
    func unmanagedSorting() {
        let home = Home(value: ["dogs": [["b", 3], ["a", 2], ["c", 1]], "tags": ["y", "x"]])
        #expect(home.dogs.sorted(byKeyPath: "name").map(\.name) == ["a", "b", "c"])
        #expect(home.tags.sorted(ascending: true).map { $0 } == ["x", "y"])
    }
}
