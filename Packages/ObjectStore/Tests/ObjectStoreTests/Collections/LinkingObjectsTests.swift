import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Objects that link to an object")
struct LinkingObjectsTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm(Self.types)
        realm = try file.open()
    }

    private static let types: [ObjectBase.Type] = [Pet.self, Keeper.self, Tag.self, House.self, Room.self]

    private func keepers(_ names: String...) throws -> Pet {
        try realm.write { realm in
            let pet = realm.create(Pet.self, value: ["name": "Rex"])
            for name in names { realm.create(Keeper.self, value: ["name": name, "favourite": pet]) }
            return pet
        }
    }

    @Test("L11: it is empty while unmanaged, by property and by key-value coding")
    func unmanaged() {
        let pet = Pet(value: ["name": "Rex"])

        #expect(pet.lovers.isEmpty)
        #expect(pet.lovers.first == nil)
        #expect(pet.lovers.realm == nil)
        #expect(!pet.lovers.isInvalidated)
        #expect(pet.lovers.sorted(byKeyPath: "name").isEmpty)
        #expect((pet.value(forKey: "lovers") as? LinkingObjects<Keeper>)?.count == 0)
        #expect(LinkingObjects(fromType: Keeper.self, property: "favourite").isEmpty)
    }

    @Test("it follows links to one object, and is live")
    func single() throws {
        let pet = try keepers("Ada", "Bo")
        #expect(pet.lovers.map(\.name) == ["Ada", "Bo"])
        #expect(pet.lovers.count == 2)
        #expect(pet.lovers.first?.name == "Ada")
        #expect(pet.lovers.last?.name == "Bo")
        #expect(pet.lovers[1].name == "Bo")
        #expect(pet.lovers.realm == realm)

        let lovers = pet.lovers
        try realm.write { realm in
            lovers[0].favourite = nil
            #expect(lovers.count == 1)
            realm.create(Keeper.self, value: ["name": "Cy", "favourite": pet])
        }
        #expect(lovers.map(\.name) == ["Bo", "Cy"])

        try realm.write { realm in realm.delete(lovers[0]) }
        #expect(lovers.map(\.name) == ["Cy"])
    }

    @Test("L11: each link counts: an object that lists another one twice appears twice")
    func list() throws {
        let pet = try keepers()
        try realm.write { realm in
            realm.create(Keeper.self, value: ["name": "Ada", "pets": [pet, pet]])
            realm.create(Keeper.self, value: ["name": "Bo", "pets": [pet]])
        }

        #expect(pet.keepers.map(\.name) == ["Ada", "Ada", "Bo"])
        #expect(pet.keepers.count == 3)
        #expect(pet.keepers.last?.name == "Bo")
        #expect(pet.keepers.distinct().map(\.name) == ["Ada", "Bo"])
        #expect(pet.keepers.distinct(by: ["name"]).count == 2)
        #expect(pet.keepers.sorted(by: \.name, ascending: false).map(\.name) == ["Bo", "Ada", "Ada"])
        #expect(pet.keepers.index(of: pet.keepers[2]) == 2)
        #expect(Array(pet.keepers).count == 3)
    }

    @Test("it follows sets and maps")
    func setsAndMaps() throws {
        let pet = try keepers()
        let other = try keepers()
        try realm.write { realm in
            let ada = realm.create(Keeper.self, value: ["name": "Ada"])
            ada.seen.insert(pet)
            ada.named["a"] = pet
            ada.named["b"] = pet
            ada.named["c"] = other
        }

        #expect(pet.seers.map(\.name) == ["Ada"])
        #expect(pet.namers.map(\.name) == ["Ada", "Ada"])
        #expect(other.namers.count == 1)
    }

    @Test("it filters, sorts and aggregates")
    func queries() throws {
        let pet = try keepers("Cy", "Ada", "Bo")
        try realm.write {
            for (age, keeper) in pet.lovers.enumerated() { keeper.age = age + 1 }
        }

        #expect(pet.lovers.filter("age > 1").map(\.name) == ["Ada", "Bo"])
        #expect(pet.lovers.where { $0.name == "Bo" }.count == 1)
        #expect(pet.lovers.sorted(byKeyPath: "name").map(\.name) == ["Ada", "Bo", "Cy"])
        #expect(pet.lovers.sum(of: \.age) == 6)
        #expect(pet.lovers.max(ofProperty: "age") == 3)
        #expect(pet.lovers.index(matching: "name == 'Bo'") == 2)
        #expect(pet.lovers.value(forKey: "name") as? [String] == ["Cy", "Ada", "Bo"])
        #expect(AnyRealmCollection(pet.lovers).count == 3)
        try realm.write { pet.lovers.setValue(9, forKey: "age") }
        #expect(pet.lovers.map(\.age) == [9, 9, 9])
    }

    @Test("conditions go through it by its name")
    func paths() throws {
        _ = try keepers("Ada")
        let loved = try keepers("Bo", "Cy")
        _ = try keepers()
        let pets = realm.objects(Pet.self)

        #expect(pets.filter("ANY lovers.name == 'Cy'").first?.isSameObject(as: loved) ?? false)
        #expect(pets.filter("lovers.@count == 2").count == 1)
        #expect(pets.filter("lovers.@count == 0").count == 1)
    }

    @Test("an embedded object finds the object around it")
    func embedded() throws {
        try realm.write { realm in
            realm.create(
                House.self,
                value: ["name": "hut", "attic": ["size": 3], "rooms": [["size": 1], ["size": 2]]]
            )
        }
        let house = try #require(realm.objects(House.self).first)

        #expect(house.attic?.tops.first?.isSameObject(as: house) ?? false)
        #expect(house.rooms[1].houses.map(\.name) == ["hut"])
        #expect(house.rooms[1].tops.isEmpty)
    }

    @Test("L13: deleting the object invalidates it, results of it are empty")
    func deletion() async throws {
        let pet = try keepers("Ada")
        let lovers = pet.lovers
        let sorted = lovers.sorted(by: \.name)
        try realm.write { realm in realm.delete(pet) }

        #expect(lovers.isInvalidated)
        #expect(lovers.realm == nil)
        #expect(sorted.isEmpty)
        #expect(!sorted.isInvalidated)
        #expect(lovers.description.contains("invalidated"))

        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm(LinkingObjectsTests.types)
            let realm = try file.open()
            try realm.write { realm in
                let pet = realm.create(Pet.self)
                let lovers = pet.lovers
                realm.delete(pet)
                _ = lovers.count
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("check 'isInvalidated' first"), "\(text.prefix(600))")
    }

    @Test("C8: an array of values does not count it, a dictionary may not set it")
    func initialisers() throws {
        let pet = Pet(value: ["Rex", 3])
        #expect((pet.name, pet.weight) == ("Rex", 3))
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm in realm.create(Pet.self, value: ["Rex", 3, []]) }
        }
        try realm.write { realm in realm.create(Pet.self, value: ["name": "Rex", "lovers": []]) }
        #expect(realm.objects(Pet.self).count == 1)
    }

    @Test("O15: a class may have nothing but links to it")
    func onlyLinks() throws {
        try realm.write { realm in
            let tag = realm.create(Tag.self)
            realm.create(Keeper.self, value: ["name": "Ada", "tag": tag])
            realm.create(Tag.self)
        }
        #expect(realm.objects(Tag.self).count == 2)
        #expect(realm.objects(Tag.self).first?.keepers.map(\.name) == ["Ada"])
        #expect(realm.objects(Tag.self).last?.keepers.isEmpty ?? false)
    }

    @Test("equality is that of the object and the property")
    func equality() throws {
        let pet = try keepers("Ada")
        let again = try #require(realm.objects(Pet.self).first)

        #expect(pet.lovers == again.lovers)
        #expect(pet.lovers != pet.lovers2)
        #expect(pet.lovers != Pet().lovers)
        #expect(Pet().lovers == Pet().lovers)
    }

    @Test("every broken declaration is reported at once")
    func rules() throws {
        #expect {
            _ = try TemporaryRealm([Broken.self, Keeper.self, Pet.self, Tag.self]).open()
        } throws: { error in
            guard let details = (error as? Realm.Error)?.details else { return false }
            return details.count == 5
                && details.contains { $0.contains("'Broken.nothing'") && $0.contains("'originProperty'") }
                && details.contains { $0.contains("'Broken.missing'") && $0.contains("does not exist") }
                && details.contains { $0.contains("'Broken.scalar'") && $0.contains("is no link") }
                && details.contains { $0.contains("'Broken.other'") && $0.contains("leads to 'Pet'") }
                && details.contains { $0.contains("'Broken.absent'") && $0.contains("not in 'objectTypes'") }
        }
    }

    @Test("assigning it traps")
    func assigning() async {
        let managed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm(LinkingObjectsTests.types)
            try file.open()
                .write { realm in
                    let pet = realm.create(Pet.self)
                    pet.lovers = pet.lovers2
                }
        }
        let text = String(decoding: managed?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("'Pet.lovers' was assigned to; linking objects are read-only"), "\(text.prefix(600))")

        let coded = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Pet().setValue(nil, forKey: "lovers")
        }
        let message = String(decoding: coded?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("'Pet.lovers' was assigned to"), "\(message.prefix(600))")
    }

    @Test("reading an object through it is a read for the observer, and the snapshot does not record the links")
    func observed() throws {
        let spy = ObserverSpy()
        let file = try TemporaryRealm(Self.types) { $0.attachment = spy }
        let realm = try file.open()
        let pet = try realm.write { realm in
            let pet = realm.create(Pet.self, value: ["name": "Rex"])
            realm.create(Keeper.self, value: ["name": "Ada", "favourite": pet])
            return pet
        }
        let calls = spy.record {
            _ = pet.lovers.first?.name
            _ = pet.lovers.map(\.name) as [String]
            _ = pet.lovers.filter("name == 'Ada'").first
        }

        #expect(calls.compactMap(\.read).map(\.shape.name) == ["Keeper", "Keeper"])
        #expect(calls.compactMap(\.matches).map(\.count) == [1])
        let keeper = try #require(calls.compactMap(\.read).first)
        #expect(keeper.shape.slot(named: "favourite") != nil)
        #expect(realm.objects(Pet.self).count == 1)
        let reads = spy.record { _ = realm.objects(Pet.self).first }.compactMap(\.read)
        #expect(reads.first?.shape.properties.map(\.name) == ["name", "weight"])
    }
}

private class Pet: Object {
    @Persisted var name: String
    @Persisted(originProperty: "favourite") var lovers: LinkingObjects<Keeper>
    @Persisted var weight: Int
    @Persisted(originProperty: "second") var lovers2: LinkingObjects<Keeper>
    @Persisted(originProperty: "pets") var keepers: LinkingObjects<Keeper>
    @Persisted(originProperty: "seen") var seers: LinkingObjects<Keeper>
    @Persisted(originProperty: "named") var namers: LinkingObjects<Keeper>
}

private class Keeper: Object {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var favourite: Pet?
    @Persisted var second: Pet?
    @Persisted var pets: List<Pet>
    @Persisted var seen: MutableSet<Pet>
    @Persisted var named: Map<String, Pet?>
    @Persisted var tag: Tag?
}

private class Tag: Object {
    @Persisted(originProperty: "tag") var keepers: LinkingObjects<Keeper>
}

private class House: Object {
    @Persisted var name: String
    @Persisted var attic: Room?
    @Persisted var rooms: List<Room>
}

private class Room: EmbeddedObject {
    @Persisted var size: Int
    @Persisted(originProperty: "attic") var tops: LinkingObjects<House>
    @Persisted(originProperty: "rooms") var houses: LinkingObjects<House>
}

private class Broken: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var nothing: LinkingObjects<Keeper>
    @Persisted(originProperty: "nonsense") var missing: LinkingObjects<Keeper>
    @Persisted(originProperty: "age") var scalar: LinkingObjects<Keeper>
    @Persisted(originProperty: "favourite") var other: LinkingObjects<Keeper>
    @Persisted(originProperty: "name") var absent: LinkingObjects<House>
}
