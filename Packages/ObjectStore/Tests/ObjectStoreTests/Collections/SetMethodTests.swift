import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Methods of sets")
struct SetMethodTests {
    @Test("elements are there once, whatever inserts them", arguments: [false, true])
    func inserting(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        let cities = shelter.shelter.cities
        try shelter.change { shelter in
            shelter.cities.insert("Boston")
            shelter.cities.insert("Boston")
            shelter.cities.insert(objectsIn: ["Boston", "Chicago", "Chicago"])
            shelter.cities.insert(objectsIn: [])
            #expect(shelter.cities.count == 2)
        }

        #expect(Set(cities) == ["Boston", "Chicago"])
        #expect(cities.contains("Chicago"))
        #expect(!cities.contains("chicago"))
        #expect(Set(cities.indices.map { cities[$0] }) == ["Boston", "Chicago"])
        #expect(cities.count == cities.endIndex && cities.startIndex == 0)
        #expect(Set(try shelter.again().cities) == Set(cities))
        #expect((cities.realm != nil) == isManaged)
        #expect(!cities.isInvalidated)
    }

    @Test("removing takes elements out, and skips those that are not there", arguments: [false, true])
    func removing(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        try shelter.change { shelter in
            shelter.cities.insert(objectsIn: ["a", "b", "c"])
            shelter.cities.remove("b")
            shelter.cities.remove("x")
            #expect(Set(shelter.cities) == ["a", "c"])
            shelter.cities.insert("b")
            #expect(Set(shelter.cities) == ["a", "b", "c"])
            shelter.cities.removeAll()
            #expect(shelter.cities.isEmpty)
            shelter.cities.insert("d")
        }

        #expect(Array(try shelter.again().cities) == ["d"])
    }

    /// Pairs of sets with what the operations on them give.
    static let pairs: [([Int], [Int])] = [
        ([1, 2, 3], [2, 3, 4]), ([1, 2], [1, 2, 3]), ([1, 2, 3], [1, 2]), ([1, 2], [3, 4]), ([], [1]), ([1], []),
        ([], []),
        ([1, 2], [1, 2]),
    ]

    @Test("sets are compared and combined as those of Swift", arguments: pairs, [0, 1, 2, 3])
    func algebra(_ pair: ([Int], [Int]), managed: Int) throws {
        let file = try TemporaryRealm([Box<Int>.self])
        let realm = try file.open()
        let (first, second) = (Set(pair.0), Set(pair.1))
        let operations: [((MutableSet<Int>, MutableSet<Int>) -> Void, Set<Int>)] = [
            ({ $0.formUnion($1) }, first.union(second)),
            ({ $0.formIntersection($1) }, first.intersection(second)),
            ({ $0.subtract($1) }, first.subtracting(second)),
        ]
        for (index, (operation, result)) in operations.enumerated() {
            let (left, right) = (Box<Int>(), Box<Int>())
            (left.id, right.id) = (2 * index, 2 * index + 1)
            try realm.write { realm in
                if managed & 1 == 1 { realm.add(left) }
                if managed & 2 == 2 { realm.add(right) }
                left.set.insert(objectsIn: pair.0)
                right.set.insert(objectsIn: pair.1)
                #expect(left.set.isSubset(of: right.set) == first.isSubset(of: second))
                #expect(left.set.intersects(right.set) == !first.isDisjoint(with: second))
                operation(left.set, right.set)
            }

            #expect(Set(left.set) == result)
            #expect(left.set.count == result.count)
            #expect(Set(right.set) == second)
        }
    }

    @Test("a set can be combined with itself", arguments: [false, true])
    func itself(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        try shelter.change { shelter in
            shelter.cities.insert(objectsIn: ["a", "b"])
            shelter.cities.formUnion(shelter.cities)
            shelter.cities.formIntersection(shelter.cities)
            #expect(Set(shelter.cities) == ["a", "b"])
            #expect(shelter.cities.isSubset(of: shelter.cities))
            #expect(shelter.cities.intersects(shelter.cities))
            shelter.cities.subtract(shelter.cities)
            #expect(shelter.cities.isEmpty)
        }
    }

    @Test("L9: objects are one element when they are one row, or one instance while unmanaged")
    func objects() throws {
        let shelter = try ShelterRealm()
        let (first, second) = (Dog(value: ["name": "Rex"]), Dog(value: ["name": "Rex"]))
        try shelter.change { shelter in
            shelter.dogSet.insert(objectsIn: [first, second, first])
            #expect(shelter.dogSet.count == 2)
            shelter.dogSet.insert(objectsIn: try #require(shelter.realm).objects(Dog.self))
        }

        #expect(shelter.shelter.dogSet.count == 2)
        #expect(first.realm != nil)
        #expect(shelter.shelter.dogSet.contains(first))
        #expect(!shelter.shelter.dogSet.contains(Dog(value: ["name": "Rex"])))
        try shelter.change { shelter in
            shelter.dogSet.remove(try #require(shelter.realm?.objects(Dog.self).first))
            shelter.dogSet.remove(Dog())
        }
        #expect(shelter.shelter.dogSet.count == 1)
        #expect(shelter.realm.objects(Dog.self).count == 2)
    }

    @Test("an object of an unmanaged set is still in it after it was added to a realm")
    func provisionalObjects() throws {
        let file = try ShelterRealm()
        let (set, dog) = (MutableSet<Dog>(), Dog())
        set.insert(objectsIn: [dog, dog, Dog()])
        try file.realm.write { realm in realm.add(dog) }

        #expect(set.contains(dog))
        set.insert(dog)
        set.insert(try #require(file.realm.objects(Dog.self).first))
        #expect(set.count == 2)
        set.remove(dog)
        #expect(set.count == 1)
    }

    @Test("assigning replaces the contents of the same instance", arguments: [false, true])
    func assignment(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        let cities = shelter.shelter.cities
        try shelter.change { shelter in
            shelter.cities.insert("old")
            shelter.cities = MutableSet(arrayLiteral: "x", "y", "x")
            #expect(shelter.cities === cities)
            shelter.cities = shelter.cities
        }
        #expect(Set(cities) == ["x", "y"])
        #expect(cities.description.hasPrefix("MutableSet<String> [\""))
    }

    @Test("L3: iterating goes over the elements as they were", arguments: [false, true])
    func iterating(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        try shelter.change { shelter in
            shelter.cities.insert(objectsIn: ["a", "b", "c"])
            var seen: Set<String> = []
            for city in shelter.cities {
                shelter.cities.remove(city)
                seen.insert(city)
            }
            #expect(seen == ["a", "b", "c"])
            #expect(shelter.cities.isEmpty)
        }
    }

    @Test("two sets are equal when they are the same property of the same object")
    func equality() throws {
        let shelter = try ShelterRealm()

        #expect(try shelter.again().cities == shelter.shelter.cities)
        #expect(try shelter.again().cities.hashValue == shelter.shelter.cities.hashValue)
    }
}
