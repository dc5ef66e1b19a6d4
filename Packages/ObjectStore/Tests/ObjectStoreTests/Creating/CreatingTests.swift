import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Creating and adding objects")
struct CreatingTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
    }

    @Test("adding makes the same instance managed, with all that it reaches")
    func adding() throws {
        let home = Home(value: [
            "name": "Villa", "owner": ["_id": 1, "name": "Ada"], "dogs": [["name": "Rex"], ["Bo", 3]],
        ])
        let dogs = home.dogs
        let owner = try #require(home.owner)
        home.address = Address(value: ["street": "Elm Street"])

        try realm.write { realm in realm.add(home) }

        #expect(home.realm == realm)
        #expect(owner.realm == realm)
        #expect(home.dogs === dogs)
        #expect(dogs.realm == realm)
        #expect(dogs.map(\.age) == [0, 3])
        #expect(home.address?.street == "Elm Street")
        #expect(realm.objects(Dog.self).count == 2)
        #expect(realm.objects(Home.self).first?.isSameObject(as: home) == true)
        #expect(realm.objects(Person.self).first == owner)
    }

    @Test("a graph with cycles can be added, but not created from a value")
    func cycles() throws {
        let first = Node(value: ["id": "a"])
        let second = Node(value: ["id": "b", "next": first])
        first.next = second

        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm in realm.create(Node.self, value: first) }
        }
        try realm.write { realm in realm.add(first) }

        #expect(first.next?.next?.id == "a")
        #expect(realm.objects(Node.self).count == 2)
    }

    @Test("creating copies what it is given")
    func copying() throws {
        let dog = Dog(value: ["name": "Rex"])

        let home = try realm.write { realm in
            realm.create(Home.self, value: ["name": "Villa", "watchdog": dog, "dogs": [dog]])
        }

        #expect(dog.realm == nil)
        #expect(home.watchdog?.name == "Rex")
        #expect(home.dogs.first?.name == "Rex")
        #expect(realm.objects(Dog.self).count == 2)
    }

    @Test("a copy goes to another realm with everything inside")
    func otherRealm() throws {
        let other = try TemporaryRealm()
        let target = try other.open()
        let home = try realm.write { realm in
            realm.create(
                Home.self,
                value: [
                    "name": "Villa", "owner": ["_id": 1], "people": [["_id": 2]], "tags": ["x"],
                    "address": ["street": "Elm Street"], "formerAddresses": [["street": "Oak Street"]],
                ]
            )
        }

        #expect(throws: Realm.Error(.invalidInput, "")) { try target.write { realm in realm.add(home) } }
        let copy = try target.write { realm in realm.create(Home.self, value: home) }

        #expect(copy.owner?._id == 1)
        #expect(copy.people.map(\._id) == [2])
        #expect(Array(copy.tags) == ["x"])
        #expect(copy.address?.street == "Elm Street")
        #expect(copy.formerAddresses.map(\.street) == ["Oak Street"])
        #expect(home.realm == realm)
    }

    @Test("absent values are the defaults, made anew for each object")
    func defaults() throws {
        let (first, second) = try realm.write { realm in
            (realm.create(Everything.self), realm.create(Everything.self))
        }

        #expect(first.id != second.id)
        #expect(first.ward == .surgery)
        #expect(first.string.isEmpty)
        #expect(first.optionalInt == nil)
        #expect(first.decimal == Decimal128(high: 0x3040_0000_0000_0000, low: 0))
        #expect(abs(first.date.timeIntervalSinceNow) < 60)
    }

    @Test("unknown keys are ignored, arrays go by declaration and may be shorter but not longer")
    func shapes() throws {
        let dog = try realm.write { realm in realm.create(Dog.self, value: ["name": "Rex", "colour": "brown"]) }
        #expect(dog.name == "Rex")
        #expect(Dog(value: ["Bo"]).age == 0)
        #expect(Dog(value: ["Bo", 4]).age == 4)

        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm in realm.create(Dog.self, value: ["Bo", 4, 5] as [Any]) }
        }
    }

    @Test("values that are nested too deeply are an error, not a crash")
    func deepNesting() throws {
        var value: [String: Any] = ["id": "0"]
        for depth in 1...1000 { value = ["id": "\(depth)", "next": value] }

        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm in realm.create(Node.self, value: value) }
        }
        #expect(realm.isEmpty)
    }

    // MARK: Policies

    @Test("under error a second object of a key is refused, nil is a key like others")
    func duplicates() throws {
        try realm.write { realm in realm.create(Node.self) }

        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write { realm in realm.create(Node.self) }
        }
        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write { realm in realm.add(Node()) }
        }
        #expect(realm.objects(Node.self).count == 1)
    }

    @Test("create with a policy changes only what is supplied", arguments: [Realm.UpdatePolicy.modified, .all])
    func updating(_ policy: Realm.UpdatePolicy) throws {
        let person = Person.numbered(1)
        try realm.write { realm in realm.add(person) }

        let updated = try realm.write { realm in
            realm.create(Person.self, value: ["_id": 1, "name": "New"], update: policy)
        }

        #expect(updated == person)
        #expect(person.name == "New")
        #expect(person.employeeId == 7)
        #expect(realm.objects(Person.self).count == 1)
    }

    @Test("add with a policy overwrites every property, and the instance becomes the existing object")
    func updatingByAdd() throws {
        let existing = Person.numbered(1)
        try realm.write { realm in realm.add(existing) }
        let new = Person(value: ["_id": 1, "name": "New"])

        try realm.write { realm in realm.add(new, update: .modified) }

        #expect(new.isSameObject(as: existing))
        #expect(existing.name == "New")
        #expect(existing.employeeId == 0)
    }

    @Test("a policy needs a primary key")
    func policyWithoutKey() throws {
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm in realm.create(Dog.self, value: ["name": "Rex"], update: .all) }
        }
    }

    @Test("modified updates an embedded object in place, all replaces it")
    func embeddedPolicies() throws {
        let home = try realm.write { realm in
            realm.create(Home.self, value: ["name": "Villa", "address": ["street": "Elm Street", "city": "Linz"]])
        }
        let address = try #require(home.address)

        try realm.write { realm in
            realm.create(Home.self, value: ["name": "Villa", "address": ["street": "New"]], update: .modified)
        }
        #expect(address.street == "New")
        #expect(address.city == "Linz")

        try realm.write { realm in
            realm.create(Home.self, value: ["name": "Villa", "address": ["street": "Newer"]], update: .all)
        }
        #expect(address.isInvalidated)
        #expect(home.address?.street == "Newer")
        #expect(home.address?.city == nil)
    }

    @Test("lists become equal to the new value under both policies", arguments: [Realm.UpdatePolicy.modified, .all])
    func listPolicies(_ policy: Realm.UpdatePolicy) throws {
        let home = try realm.write { realm in
            realm.create(
                Home.self,
                value: ["name": "Villa", "tags": ["a", "b", "c"], "people": [["_id": 1, "name": "Ada"], ["_id": 2]]]
            )
        }

        try realm.write { realm in
            realm.create(
                Home.self,
                value: ["name": "Villa", "tags": ["a", "x"], "people": [["_id": 2], ["_id": 1], ["_id": 3]]],
                update: policy
            )
        }

        #expect(Array(home.tags) == ["a", "x"])
        #expect(home.people.map(\._id) == [2, 1, 3])
        #expect(home.people[1].name == "Ada")
    }

    // MARK: JSON

    @Test("what JSONSerialization makes can be created, nested as it is")
    func json() throws {
        let json = """
            {"name": "Villa", "owner": {"_id": 1, "name": "Ada", "score": 1, "active": true, "userId": null},
             "dogs": [{"name": "Rex", "age": 3}], "address": {"street": "Elm", "extra": 1}, "watchdog": null,
             "tags": ["a"], "ratings": [1, null], "unknown": {"x": []}}
            """
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8))

        let home = try realm.write { realm in realm.create(Home.self, value: value) }

        #expect(home.owner?.score == 1)
        #expect(home.owner?.active == true)
        #expect(home.owner?.userId == nil)
        #expect(home.dogs.first?.age == 3)
        #expect(home.watchdog == nil)
        #expect(Array(home.ratings) == [1, nil])
    }
}
