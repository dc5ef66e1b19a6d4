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
