import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Writing of collections")
struct CollectionWritingTests {
    /// A value for every collection.
    private static var values: [String: Any] {
        [
            "name": "South",
            "dogs": [["name": "Rex"], ["name": "Bo"]],
            "dogSet": [["name": "Ada"]],
            "dogMap": ["first": ["name": "Max"], "none": NSNull()] as [String: Any],
            "personSet": [["_id": 1, "name": "Eve"]],
            "personMap": ["boss": ["_id": 2]],
            "addressMap": ["home": ["street": "Elm Street"]],
            "tags": ["x", "y"],
            "cities": ["Boston", "Boston", "Chicago"],
            "parks": ["Ottawa": "Bush Park"],
            "scores": ["a": 1, "b": NSNull()] as [String: Any],
        ]
    }

    private func expectValues(_ shelter: Shelter) {
        #expect(shelter.dogs.map(\.name) == ["Rex", "Bo"])
        #expect(shelter.dogSet.map(\.name) == ["Ada"])
        #expect(shelter.dogMap.keys == ["first", "none"])
        #expect(shelter.dogMap["first"]??.name == "Max")
        #expect(shelter.dogMap["none"] == .some(nil))
        #expect(shelter.personSet.first?.name == "Eve")
        #expect(shelter.personMap["boss"]??._id == 2)
        #expect(shelter.addressMap["home"]??.street == "Elm Street")
        #expect(Array(shelter.tags) == ["x", "y"])
        #expect(Set(shelter.cities) == ["Boston", "Chicago"])
        #expect(shelter.parks["Ottawa"] == "Bush Park")
        #expect(shelter.scores.values == [1, nil])
    }

    @Test("C7: an initializer, `add` and `create` fill every kind of collection, also from an unmanaged object")
    func filling() throws {
        let file = try ShelterRealm()
        let unmanaged = Shelter(value: Self.values)
        expectValues(unmanaged)
        #expect(unmanaged.dogMap["first"]??.realm == nil)

        let created = try file.realm.write { realm in realm.create(Shelter.self, value: Self.values) }
        expectValues(created)
        let copy = try file.realm.write { realm in
            unmanaged.name = "Copy"
            for person in unmanaged.personSet { person._id = 11 }
            unmanaged.personMap["boss"]??._id = 12
            return realm.create(Shelter.self, value: unmanaged)
        }
        #expect(unmanaged.realm == nil)
        #expect(unmanaged.dogSet.realm == nil && unmanaged.dogMap["first"]??.realm == nil)
        #expect(copy.dogMap["first"]??.name == "Max")
        try file.realm.write { realm in
            unmanaged.name = "Added"
            for person in unmanaged.personSet { person._id = 21 }
            unmanaged.personMap["boss"]??._id = 22
            realm.add(unmanaged)
        }
        #expect(unmanaged.addressMap["home"]??.realm == file.realm)
        #expect(unmanaged.dogMap["first"]??.realm == file.realm)
        #expect(unmanaged.personMap["boss"]??._id == 22)
    }

    @Test("C3: collections that were in hand become managed in place, also when an existing object is updated")
    func promotion() throws {
        let file = try ShelterRealm()
        let shelter = Shelter(value: ["name": "North"])
        let (tags, cities, parks) = (shelter.tags, shelter.cities, shelter.parks)
        tags.append("x")
        cities.insert("y")
        parks["z"] = "z"
        let dog = Dog()
        shelter.dogMap["dog"] = dog

        try file.realm.write { realm in
            file.shelter.tags.append("old")
            file.shelter.parks["old"] = "old"
            realm.add(shelter, update: .modified)
        }

        #expect(shelter.isSameObject(as: file.shelter))
        #expect(tags === shelter.tags && cities === shelter.cities && parks === shelter.parks)
        #expect(tags.realm != nil && cities.realm != nil && parks.realm != nil)
        #expect(Array(file.shelter.tags) == ["x"])
        #expect(Array(file.shelter.cities) == ["y"])
        #expect(file.shelter.parks.keys == ["z"])
        #expect(dog.realm == file.realm)
        try file.change { _ in tags.append("later") }
        #expect(Array(file.shelter.tags) == ["x", "later"])
    }

    @Test(
        "C13: an update makes every collection equal to the new value",
        arguments: [Realm.UpdatePolicy.modified, .all]
    )
    func updating(_ policy: Realm.UpdatePolicy) throws {
        let file = try ShelterRealm()
        try file.realm.write { realm in realm.create(Shelter.self, value: Self.values) }
        let shelter = try file.realm.write { realm in
            realm.create(
                Shelter.self,
                value: [
                    "name": "South", "tags": ["y"], "cities": ["Chicago", "Denver"],
                    "parks": ["Boston": "x", "Ottawa": "y"], "scores": [String: Any](), "personSet": NSNull(),
                    "personMap": ["deputy": ["_id": 2, "name": "Deputy"]], "dogMap": ["second": ["name": "Bo"]],
                ],
                update: policy
            )
        }

        #expect(Array(shelter.tags) == ["y"])
        #expect(Set(shelter.cities) == ["Chicago", "Denver"])
        #expect(
            Dictionary(uniqueKeysWithValues: shelter.parks.map { ($0.key, $0.value) }) == [
                "Boston": "x", "Ottawa": "y",
            ]
        )
        #expect(shelter.scores.count == 0 && shelter.personSet.isEmpty)
        #expect(shelter.personMap.keys == ["deputy"])
        #expect(shelter.personMap["deputy"]??.name == "Deputy")
        #expect(shelter.dogMap.keys == ["second"])
        // What was not supplied stays.
        #expect(shelter.dogs.count == 2)
        #expect(file.realm.objects(Person.self).count == 2)
    }

    @Test("C12: `.modified` updates embedded and unkeyed objects of maps in place, C11: `.all` makes new ones")
    func inPlace() throws {
        let file = try ShelterRealm()
        let shelter = try file.realm.write { realm in realm.create(Shelter.self, value: Self.values) }
        let home = try #require(shelter.addressMap["home"] ?? nil)
        let dog = try #require(shelter.dogMap["first"] ?? nil)
        let value: [String: Any] = [
            "name": "South", "addressMap": ["home": ["city": "Linz"]], "dogMap": ["first": ["age": 5]],
        ]

        try file.realm.write { realm in realm.create(Shelter.self, value: value, update: .modified) }
        #expect(home.street == "Elm Street" && home.city == "Linz")
        #expect(dog.name == "Max" && dog.age == 5)
        #expect(shelter.dogMap.count == 1)

        try file.realm.write { realm in realm.create(Shelter.self, value: value, update: .all) }
        #expect(home.isInvalidated)
        #expect(shelter.addressMap["home"]??.city == "Linz")
        #expect(shelter.addressMap["home"]??.street == "")
        #expect(!dog.isInvalidated)
        #expect(shelter.dogMap["first"]??.isSameObject(as: dog) == false)
    }

    @Test("C16: unmanaged objects become managed when they are put into a managed collection")
    func implicitAdd() throws {
        let file = try ShelterRealm()
        let dogs = (0..<5).map { Dog(value: ["name": "\($0)"]) }
        let address = Address()
        try file.change { shelter in
            shelter.dogs.append(dogs[0])
            shelter.dogSet.insert(dogs[1])
            shelter.dogMap["x"] = dogs[2]
            shelter.dogMap.updateValue(dogs[3], forKey: "y")
            shelter.dogMap.merge(["z": dogs[4]]) { $1 }
            shelter.addressMap["home"] = address
        }

        #expect(dogs.allSatisfy { $0.realm == file.realm })
        #expect(address.realm == file.realm)
        #expect(file.shelter.dogMap.values.map { $0?.name } == ["2", "3", "4"])
    }

    @Test(
        "a collection of another element type is refused even when it is empty, C17: as is an object of another class"
    )
    func refused() throws {
        let file = try ShelterRealm()
        let refused: [[String: Any]] = [
            ["tags": List<Int>()], ["tags": MutableSet<Int>()], ["tags": List<String?>()],
            ["tags": Map<String, String>()],
            ["tags": "x"], ["tags": 1], ["tags": Data()], ["tags": [String: Any]()], ["tags": [1]],
            ["tags": [NSNull()]],
            ["cities": MutableSet<Int>()], ["cities": List<Dog>()], ["cities": "x"], ["cities": [true]],
            ["parks": Map<String, Int>()], ["parks": ["x"]], ["parks": List<String>()], ["parks": ["x": 1]],
            ["parks": [1: "x"]], ["parks": ["x": NSNull()]], ["scores": ["x": "1"]],
            ["dogSet": List<Person>()], ["dogSet": [Person()]], ["dogMap": ["x": Person()]], ["dogMap": ["x": 1]],
            ["dogs": [NSNull()]], ["addressMap": ["x": Dog()]],
        ]
        for value in refused {
            let error = file.error { realm in realm.create(Shelter.self, value: value.merging(["name": "x"]) { $1 }) }
            #expect(error?.code == .invalidInput, "\(value)")
            #expect(error?.message.contains("Shelter.\(value.keys.first ?? "")") == true, "\(value)")
        }
        #expect(file.realm.objects(Shelter.self).count == 1)
        #expect(file.realm.objects(Dog.self).isEmpty)
    }

    @Test("lists, sets and other sequences can be given for each other, and a map for a map")
    func accepted() throws {
        let file = try ShelterRealm()
        let shelter = try file.realm.write { realm in
            realm.create(
                Shelter.self,
                value: [
                    "name": "x", "tags": MutableSet<String>(arrayLiteral: "a"),
                    "cities": List<String>(arrayLiteral: "b"),
                    "parks": Map<String, String>(dictionaryLiteral: ("c", "d")), "scores": ["e": 1],
                    "dogs": realm.objects(Dog.self), "people": Set([Person.numbered(1)]),
                ] as [String: Any]
            )
        }

        #expect(Array(shelter.tags) == ["a"])
        #expect(Array(shelter.cities) == ["b"])
        #expect(shelter.parks["c"] == "d")
        #expect(shelter.scores["e"] == 1)
        #expect(shelter.people.map(\._id) == [1])
    }

    @Test("O10: an embedded object that has a parent is refused in maps, and a replaced one is deleted")
    func embedded() throws {
        let file = try ShelterRealm()
        try file.change { shelter in shelter.addressMap["home"] = Address(value: ["street": "A"]) }
        let first = try #require(file.shelter.addressMap["home"] ?? nil)

        #expect(file.error { _ in file.shelter.addressMap["other"] = first }?.code == .invalidInput)
        #expect(file.error { _ in file.shelter.addressMap["home"] = first }?.code == .invalidInput)
        #expect(file.error { _ in file.shelter.addresses.append(first) }?.code == .invalidInput)
        #expect(file.shelter.addressMap.keys == ["home"])
        try file.change { shelter in shelter.addressMap["home"] = Address(value: ["street": "B"]) }
        #expect(first.isInvalidated)
        let second = try #require(file.shelter.addressMap["home"] ?? nil)
        try file.change { shelter in shelter.addressMap["home"] = .some(nil) }
        #expect(second.isInvalidated)
        #expect(file.shelter.addressMap["home"] == .some(nil))
    }

    @Test("an object of another realm is refused")
    func otherRealm() throws {
        let (file, other) = (try ShelterRealm(), try ShelterRealm())
        let dog = try other.realm.write { realm in realm.create(Dog.self) }

        #expect(file.error { _ in file.shelter.dogs.append(dog) }?.code == .invalidInput)
        #expect(file.error { _ in file.shelter.dogSet.insert(dog) }?.code == .invalidInput)
        #expect(file.error { _ in file.shelter.dogMap["x"] = dog }?.code == .invalidInput)
        #expect(!file.shelter.dogSet.contains(dog))
        // A copy of the whole graph is fine.
        try other.realm.write { _ in other.shelter.dogMap["x"] = dog }
        try file.realm.write { realm in
            realm.create(Shelter.self, value: other.shelter, update: .modified)
        }
        #expect(file.shelter.dogMap["x"]??.realm == file.realm)
    }

    @Test("another instance sees the collections as they were committed")
    func secondInstance() throws {
        let file = try ShelterRealm()
        let seen = try file.realm.write { realm in
            realm.create(Shelter.self, value: Self.values).name
        }
        let configuration = file.file.configuration
        let done = DispatchSemaphore(value: 0)
        Thread {
            defer { done.signal() }
            let realm = try? Realm(configuration: configuration)
            let shelter = realm?.object(ofType: Shelter.self, forPrimaryKey: seen)
            #expect(shelter != nil)
            if let shelter { expectValues(shelter) }
        }
        .start()
        done.wait()
    }
}
