import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Deleting and collections")
struct CollectionDeletionTests {
    private let file: ShelterRealm
    private let dog = Dog(value: ["name": "Rex"])
    private let other = Dog(value: ["name": "Bo"])

    init() throws {
        file = try ShelterRealm()
        try file.change { shelter in
            shelter.dogs.append(objectsIn: [dog, other, dog])
            shelter.dogSet.insert(objectsIn: [dog, other])
            shelter.dogMap.merge(["a": dog, "b": other, "c": dog]) { $1 }
            shelter.addresses.append(objectsIn: [Address(), Address()])
            shelter.addressMap["x"] = Address()
            shelter.addressMap["y"] = Address()
        }
    }

    @Test("O8: a deleted object leaves lists and sets, and null in maps")
    func target() throws {
        try file.change { _ in file.realm.delete(dog) }

        let shelter = file.shelter
        #expect(shelter.dogs.map(\.name) == ["Bo"])
        #expect(shelter.dogSet.map(\.name) == ["Bo"])
        #expect(shelter.dogMap.keys == ["a", "b", "c"])
        #expect(shelter.dogMap.values.map { $0?.name } == [nil, "Bo", nil])
        #expect(shelter.dogMap["a"] == .some(nil))
    }

    @Test("O9: deleting the owner deletes its embedded objects and no others, L13: and invalidates its collections")
    func owner() throws {
        let shelter = file.shelter
        let addresses = Array(shelter.addresses) + shelter.addressMap.values.compactMap(\.self)
        let (list, set, map) = (shelter.dogs, shelter.dogSet, shelter.dogMap)
        try file.change { _ in file.realm.delete(shelter) }

        #expect(addresses.count == 4)
        #expect(addresses.allSatisfy { $0.isInvalidated })
        #expect(list.isInvalidated && set.isInvalidated && map.isInvalidated)
        #expect(list.realm == nil && set.realm == nil && map.realm == nil)
        #expect(list.description == "List<Dog> (deleted)" && set.description == "MutableSet<Dog> (deleted)")
        #expect(map.description == "Map<String, Optional<Dog>> (deleted)")
        #expect(!dog.isInvalidated && !other.isInvalidated)
    }

    @Test("a deleted embedded object leaves its list, and null in its map")
    func embedded() throws {
        let shelter = file.shelter
        try file.change { _ in
            file.realm.delete(shelter.addresses[0])
            file.realm.delete(try #require(shelter.addressMap["x"] ?? nil))
        }

        #expect(shelter.addresses.count == 1)
        #expect(shelter.addressMap["x"] == .some(nil))
        #expect(shelter.addressMap["y"]??.isInvalidated == false)
    }

    @Test("removing from a map deletes embedded objects only")
    func removing() throws {
        let shelter = file.shelter
        let address = try #require(shelter.addressMap["x"] ?? nil)
        let last = try #require(shelter.addressMap["y"] ?? nil)
        try file.change { shelter in
            shelter.addressMap["x"] = nil
            shelter.dogMap["a"] = nil
            shelter.dogSet.remove(other)
        }
        #expect(address.isInvalidated)
        #expect(!dog.isInvalidated && !other.isInvalidated)
        try file.change { shelter in
            shelter.addressMap.removeAll()
            shelter.dogMap.removeAll()
            shelter.dogSet.removeAll()
        }
        #expect(last.isInvalidated)
        #expect(!dog.isInvalidated && !other.isInvalidated)
    }

    @Test("the objects of a list, a set, a map or a result can be deleted together")
    func deletingCollections() throws {
        let shelter = file.shelter
        try file.change { _ in file.realm.delete(shelter.dogs) }
        #expect(dog.isInvalidated && other.isInvalidated)
        #expect(shelter.dogs.isEmpty && shelter.dogSet.isEmpty)
        #expect(shelter.dogMap.values.allSatisfy { $0 == nil })
        try file.change { shelter in
            shelter.dogMap["d"] = Dog()
            shelter.dogSet.insert(Dog())
            file.realm.delete(shelter.dogMap)
            #expect(shelter.dogMap.count == 4)
            file.realm.delete(shelter.dogSet)
            #expect(file.realm.objects(Dog.self).isEmpty)
            shelter.dogs.append(objectsIn: [Dog(), Dog()])
            file.realm.delete(file.realm.objects(Dog.self))
            file.realm.delete(shelter.addresses)
            file.realm.delete(shelter.addressMap)
        }
        #expect(file.realm.objects(Dog.self).isEmpty)
        #expect(shelter.dogs.isEmpty && shelter.addresses.isEmpty)
        #expect(shelter.addressMap.keys == ["x", "y"])
    }

    @Test("L3: deleting each object while iterating visits all", arguments: ["list", "set", "map"])
    func deletingWhileIterating(_ kind: String) throws {
        let shelter = file.shelter
        var visited = 0
        try file.change { shelter in
            shelter.dogs.remove(at: 2)
            shelter.dogMap["c"] = nil
            switch kind {
            case "list": for dog in shelter.dogs { visit(dog) }
            case "set": for dog in shelter.dogSet { visit(dog) }
            default: for entry in shelter.dogMap { visit(entry.value) }
            }
            func visit(_ dog: Dog?) {
                visited += 1
                if let dog { file.realm.delete(dog) }
            }
        }
        #expect(visited == 2)
        #expect(shelter.dogs.isEmpty && shelter.dogSet.isEmpty)
    }

    @Test("deleting everything empties the tables of all collections")
    func everything() throws {
        try file.change { _ in file.realm.deleteAll() }
        #expect(file.shelter.isInvalidated)
        let shelter = try file.realm.write { realm in realm.create(Shelter.self, value: ["name": "North"]) }
        #expect(
            shelter.dogs.isEmpty && shelter.dogSet.isEmpty && shelter.dogMap.count == 0 && shelter.addressMap.count == 0
        )
    }
}
