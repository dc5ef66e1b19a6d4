import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Values that a type of the program refuses, and objects that its values are made of")
struct RefusedValueTests {
    private let realm: Realm

    init() throws {
        realm = try TemporaryRealm([Scored.self, SpotObject.self]).open()
    }

    @Test("an optional property takes a refused value as nil, managed or not, whichever way it comes")
    func optional() throws {
        let unmanaged = Scored(value: ["maybe": 200, "score": 5])
        #expect(unmanaged.maybe == nil && unmanaged.score.points == 5)
        unmanaged.setValue(7, forKey: "maybe")
        #expect(unmanaged.maybe?.points == 7)
        unmanaged.setValue(101, forKey: "maybe")
        #expect(unmanaged.maybe == nil)

        let managed = try realm.write { realm in realm.create(Scored.self, value: ["maybe": 200]) }
        #expect(managed.maybe == nil)
        try realm.write {
            managed.setValue(9, forKey: "maybe")
            managed["maybe"] = 300
        }
        #expect(managed.maybe == nil)
    }

    @Test("a value of another type is refused as before")
    func otherType() throws {
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm in realm.create(Scored.self, value: ["maybe": "many"]) }
        }
    }

    @Test("a required property refuses it, and the transaction is rolled back")
    func required() throws {
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm in realm.create(Scored.self, value: ["score": 200]) }
        }
        #expect(realm.objects(Scored.self).isEmpty)
    }

    @Test("a map holds values that are stored as embedded objects; one whose object is deleted reads as the default")
    func map() throws {
        let object = Scored()
        object.spots["home"] = Spot(x: 3)
        object.spots["work"] = Spot(x: 4)
        try realm.write { realm in realm.add(object) }
        #expect(object.spots["home"]?.x == 3 && object.spots.count == 2)

        try realm.write { realm in realm.delete(realm.dynamicObjects("SpotObject").filter("x == 3")) }

        #expect(object.spots.keys == ["home", "work"])
        #expect(object.spots["home"]?.x == 0 && object.spots["work"]?.x == 4)
        #expect(object.spots.map { $0.value.x } == [0, 4])
        try realm.write { object.spots["home"] = Spot(x: 5) }
        #expect(object.spots["home"]?.x == 5)
        try realm.write { object.spots["home"] = nil }
        #expect(object.spots.keys == ["work"] && realm.dynamicObjects("SpotObject").count == 1)
    }
}

private struct Score: FailableCustomPersistable {
    let points: Int
    init?(persistedValue: Int) {
        guard (0...100).contains(persistedValue) else { return nil }
        points = persistedValue
    }
    var persistableValue: Int { points }
}

private class SpotObject: EmbeddedObject {
    @Persisted var x: Int
}

private struct Spot: CustomPersistable {
    typealias PersistedType = SpotObject
    var x: Int
    init(x: Int) { self.x = x }
    init(persistedValue: SpotObject) { x = persistedValue.x }
    var persistableValue: SpotObject { SpotObject(value: ["x": x]) }
}

private class Scored: Object {
    @Persisted var score: Score
    @Persisted var maybe: Score?
    @Persisted var spots: Map<String, Spot>
}
