import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Creating: maps and sets")
struct MapAndSetRowTests {
    private let page: PageRealm
    private var realm: Realm { page.realm }
    private let dog = PageDog()

    init() throws {
        page = try PageRealm()
        dog.name = "Wolfie"
        dog.currentCity = "New York"
    }

    private func add() throws { try realm.write { realm in realm.add(dog) } }

    // MARK: Maps

    @Test("Row 22: keys of a map are set on the object, which is then added")
    func unmanagedMap() throws {
        dog.favoriteParksByCity["New York"] = "Domino Park"
        let parks = dog.favoriteParksByCity

        try add()

        #expect(parks === dog.favoriteParksByCity)
        #expect(parks.realm == realm)
        #expect(parks["New York"] == "Domino Park")
        let stored = try page.elsewhere { $0.objects(PageDog.self).first?.favoriteParksByCity["New York"] }
        #expect(stored == "Domino Park")
    }

    @Test("Row 23: keys of a map are set, overwritten and removed inside of a transaction")
    func managedMap() throws {
        dog.favoriteParksByCity["New York"] = "Domino Park"
        try add()

        try realm.write {
            dog.favoriteParksByCity["Chicago"] = "Wiggly Field"
            dog.favoriteParksByCity["New York"] = "Central Park"
        }
        #expect(dog.favoriteParksByCity.count == 2)
        #expect(dog.favoriteParksByCity.keys == ["Chicago", "New York"])
        #expect(dog.favoriteParksByCity["New York"] == "Central Park")

        try realm.write {
            dog.favoriteParksByCity["New York"] = nil
            dog.favoriteParksByCity["Nowhere"] = nil
            dog.favoriteParksByCity["a.b $c"] = "any text is a key"
        }
        #expect(dog.favoriteParksByCity.keys == ["Chicago", "a.b $c"])
    }

    @Test("Row 24: keys of a map are set and read by key-value coding, nil removes")
    func keyValueCoding() throws {
        try add()
        try realm.write {
            dog.favoriteParksByCity.setValue("Bush Park", forKey: "Ottawa")
            dog.favoriteParksByCity.setValue("Stadtpark", forKey: "Wien")
            dog.favoriteParksByCity.setValue("Prater" as Any?, forKey: "Wien")
        }
        #expect(dog.favoriteParksByCity["Ottawa"] == "Bush Park")
        #expect(dog.favoriteParksByCity.value(forKey: "Wien") as? String == "Prater")
        #expect(dog.favoriteParksByCity.object(forKey: "Ottawa") as? String == "Bush Park")
        #expect(dog.favoriteParksByCity.value(forKey: "Nowhere") == nil)

        try realm.write { dog.favoriteParksByCity.setValue(nil, forKey: "Ottawa") }
        #expect(dog.favoriteParksByCity.keys == ["Wien"])
    }

    @Test(
        "Row 24: a keyed value of another type is an error that discards the transaction",
        arguments: ["int", "null"]
    )
    func wrongKeyedValue(_ name: String) throws {
        try add()
        let error = page.error { _ in
            dog.favoriteParksByCity["Wien"] = "Prater"
            dog.favoriteParksByCity.setValue(name == "int" ? 5 : NSNull(), forKey: "Ottawa")
        }
        #expect(error?.code == .invalidInput)
        #expect(error?.message.contains("'PageDog.favoriteParksByCity'") == true)
        #expect(dog.favoriteParksByCity.count == 0)
    }

    @Test("Row 24: the whole map is set by key-value coding of its object")
    func wholeMap() throws {
        try add()
        try realm.write {
            dog.setValue(["Wien": "Prater"], forKey: "favoriteParksByCity")
            dog["citiesVisited"] = ["Wien"]
        }
        #expect(dog.favoriteParksByCity.keys == ["Wien"])
        #expect((dog["favoriteParksByCity"] as? Map<String, String>)?["Wien"] == "Prater")
        #expect(dog.citiesVisited.contains("Wien"))
    }

    // MARK: Sets

    @Test("Row 25: a set changes in a transaction: one element or several are inserted, each is there once")
    func set() throws {
        try add()
        try realm.write { dog.citiesVisited.insert(dog.currentCity) }
        try realm.write { dog.citiesVisited.insert(objectsIn: ["Boston", "Chicago", "Boston", "New York"]) }

        #expect(dog.citiesVisited.count == 3)
        #expect(Set(dog.citiesVisited) == ["New York", "Boston", "Chicago"])
        #expect(dog.citiesVisited.contains("Boston"))
        let text = "\(dog.name) has visited: \(dog.citiesVisited)"
        #expect(["New York", "Boston", "Chicago"].allSatisfy(text.contains))
        let stored = try page.elsewhere {
            Set($0.objects(PageDog.self).first.map { Array($0.citiesVisited) } ?? [])
        }
        #expect(stored == ["New York", "Boston", "Chicago"])
    }

    @Test("Row 25: elements are removed, and sets are combined")
    func combining() throws {
        dog.citiesVisited.insert(objectsIn: ["Linz", "Wien", "Graz"])
        let other = PageDog(value: ["citiesVisited": ["Wien", "Graz", "Paris"]])
        try realm.write { realm in realm.add([dog, other]) }

        #expect(dog.citiesVisited.intersects(other.citiesVisited))
        #expect(!dog.citiesVisited.isSubset(of: other.citiesVisited))
        try realm.write {
            dog.citiesVisited.remove("Graz")
            dog.citiesVisited.formIntersection(other.citiesVisited)
        }
        #expect(Set(dog.citiesVisited) == ["Wien"])
        #expect(dog.citiesVisited.isSubset(of: other.citiesVisited))
        try realm.write {
            dog.citiesVisited.formUnion(other.citiesVisited)
            other.citiesVisited.subtract(dog.citiesVisited)
        }
        #expect(dog.citiesVisited.count == 3)
        #expect(other.citiesVisited.isEmpty)
    }

    @Test("Row 25: texts of a set are told apart by their bytes, and numbers by their value")
    func identity() throws {
        try add()
        try realm.write { dog.citiesVisited.insert(objectsIn: ["Z\u{FC}rich", "Zu\u{308}rich", "", "a\u{0}", "a"]) }
        #expect(dog.citiesVisited.count == 5)

        let file = try TemporaryRealm([Box<Double?>.self])
        let numbers = Box<Double?>()
        numbers.set.insert(objectsIn: [.nan, .nan, 0, -0.0, nil, nil, .infinity])
        #expect(numbers.set.count == 4)
        let realm = try file.open()
        try realm.write { realm in realm.add(numbers) }
        #expect(numbers.set.count == 4)
        #expect(numbers.set.contains(.nan) && numbers.set.contains(nil) && numbers.set.contains(-0.0))
    }

    @Test("Row 25: a set of objects holds each row once; a set of another element type is refused even when empty")
    func objects() throws {
        let person = try realm.write { realm in realm.create(PagePerson.self, value: ["id": 1]) }
        try realm.write { person.dogSet.insert(objectsIn: [dog, dog]) }
        try realm.write { person.dogSet.insert(try #require(page.dogs.first)) }
        #expect(person.dogSet.count == 1)
        #expect(dog.realm == realm)

        let error = page.error { realm in
            realm.create(PageDog.self, value: ["citiesVisited": MutableSet<Int>()])
        }
        #expect(error?.code == .invalidInput)
    }
}
