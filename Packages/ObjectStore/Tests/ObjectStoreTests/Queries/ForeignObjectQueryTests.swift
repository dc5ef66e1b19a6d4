import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Conditions with objects that the realm does not have")
struct ForeignObjectQueryTests {
    private let place: TemporaryRealm
    private let realm: Realm

    init() throws {
        place = try TemporaryRealm(Sample.types + [ForeignHolder.self])
        realm = try place.open()
        try realm.write {
            realm.create(Home.self, value: ["name": "Villa", "watchdog": ["name": "Rex"], "dogs": [["name": "Max"]]])
            realm.create(Home.self, value: ["name": "Hut"])
            realm.create(ForeignHolder.self, value: ["value": Dog()])
        }
    }

    @Test("an unmanaged object equals nothing that is stored, typed and as text")
    func unmanaged() {
        let dog = Dog()
        let homes = realm.objects(Home.self)
        let equal = homes.where { $0.watchdog == dog }.map(\.name)
        let other = homes.where { $0.watchdog != dog }.map(\.name)
        let contained = homes.where { $0.dogs.contains(dog) }.map(\.name)
        let listed = homes.where { $0.watchdog.in([dog, nil]) }.map(\.name)
        #expect(equal.isEmpty && contained.isEmpty && listed == ["Hut"] && other.sorted() == ["Hut", "Villa"])

        #expect(homes.filter("watchdog == %@", dog).isEmpty && homes.filter("ANY dogs == %@", dog).isEmpty)
        #expect(homes.filter("watchdog != %@", dog).count == 2 && homes.filter("NOT watchdog == %@", dog).count == 2)
        #expect(homes.filter("watchdog IN %@", [dog]).isEmpty && homes.filter("address == %@", Address()).isEmpty)
        #expect(realm.objects(Dog.self).filter("SELF == %@", dog).isEmpty)
        #expect(realm.objects(ForeignHolder.self).filter("value == %@", AnyRealmValue.object(dog)).isEmpty)
    }

    @Test("an object of another realm equals nothing that is stored, though its row has the same number")
    func otherRealm() throws {
        let other = try TemporaryRealm(Sample.types + [ForeignHolder.self])
        let otherRealm = try other.open()
        try otherRealm.write {
            otherRealm.create(
                Home.self,
                value: ["name": "Villa", "watchdog": ["name": "Rex"], "dogs": [["name": "Max"]]]
            )
        }
        let dog = try #require(otherRealm.objects(Home.self).first?.watchdog)
        let own = try #require(realm.objects(Home.self).first?.watchdog)
        try realm.write { realm.objects(ForeignHolder.self).first?.value = .object(own) }
        let (homes, holders) = (realm.objects(Home.self), realm.objects(ForeignHolder.self))
        let frozen = dog.freeze()

        for dog in [dog, frozen] {
            let found = [
                homes.where { $0.watchdog == dog }.count, homes.where { $0.dogs.contains(dog) }.count,
                homes.where { $0.watchdog.in([dog]) }.count, homes.where { $0.dogs.containsAny(in: [dog]) }.count,
                holders.where { $0.value == .object(dog) }.count, homes.filter("watchdog == %@", dog).count,
                homes.filter("ANY dogs IN %@", [dog]).count, realm.objects(Dog.self).filter("SELF == %@", dog).count,
            ]
            #expect(found == Array(repeating: 0, count: 8))
            let others = homes.where { $0.watchdog != dog }.count
            #expect(others == 2 && homes.filter("watchdog != %@", dog).count == 2)
        }
        for own in [own, own.freeze()] {
            let found = [
                homes.where { $0.watchdog == own }.count, homes.where { $0.watchdog.in([own]) }.count,
                holders.where { $0.value == .object(own) }.count, homes.filter("watchdog == %@", own).count,
                realm.objects(Dog.self).filter("SELF IN %@", [own]).count,
            ]
            #expect(found == Array(repeating: 1, count: 5))
        }
    }

    @Test("in an unmanaged collection, too")
    func inMemory() {
        let home = Home(value: ["dogs": [["name": "Max"], ["name": "Bob"]]])
        #expect(home.dogs.filter("SELF == %@", Dog()).isEmpty)
        #expect(home.dogs.filter("SELF != %@", Dog()).count == 2)
    }

    @Test("an unmanaged object of another class is told of")
    func otherClass() {
        let error = #expect(throws: Realm.Error.self) {
            try realm.objects(Home.self).filter(parsing: "watchdog == %@", [Person()])
        }
        #expect(error?.message.contains("an object of class 'Person' is never equal to it") == true)
    }
}

private final class ForeignHolder: Object {
    @Persisted var value: AnyRealmValue

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
}
