import EventModel
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private class SensorReading: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var deviceId: String
    @Persisted var temperature: Float
    @Persisted var windSpeed: Int
    @Persisted var place: SensorPlace?
    @Persisted var samples: List<Double>
    @Persisted var labels: Map<String, UUID?>
    override class func propertiesMapping() -> [String: String] { ["deviceId": "device"] }
}

private class SensorPlace: EmbeddedObject {
    @Persisted var name: String
    @Persisted var since: Date?
}

private class KeylessReading: AsymmetricObject {
    @Persisted var text: String
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A later version of a class, with other types.
private class ChangedReading: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var deviceId: Int
    override class func _realmObjectName() -> String? { "SensorReading" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A class whose objects were ordinary ones before.
private class AsymmetricDog: AsymmetricObject {
    @Persisted(primaryKey: true) var name: String
    override class func _realmObjectName() -> String? { "Dog" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class LinkingReading: AsymmetricObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var dog: Dog?
    @Persisted var other: AnyRealmValue
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("Asymmetric objects")
struct AsymmetricObjectTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([SensorReading.self, SensorPlace.self, Dog.self])
        realm = try file.open()
    }

    private let id = ObjectId("507f1f77bcf86cd799439011")

    @Test("C18: a created object lies in the outbox as Extended JSON, not in the realm")
    func create() throws {
        let uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        try realm.write { realm in
            let value: [String: Any] = [
                "_id": id, "deviceId": "é\"1", "temperature": 21.5, "windSpeed": 4,
                "place": ["name": "roof", "since": Date(timeIntervalSince1970: 1.5)], "samples": [1, Double.nan],
                "labels": ["a": uuid, "b": NSNull()] as [String: Any],
            ]
            realm.create(SensorReading.self, value: value)
        }
        #expect(realm.isEmpty)
        let entries = try realm.outbox.entries()
        #expect(entries.map(\.className) == ["SensorReading"])
        #expect(
            entries.first?.document == """
                {"_id":{"$oid":"507f1f77bcf86cd799439011"},"device":"é\\"1","labels":{"a":{"$binary":{"base64":\
                "AAAAAAAAAAAAAAAAAAAAAQ==","subType":"04"}},"b":null},"place":{"name":"roof","since":{"$date":\
                {"$numberLong":"1500"}}},"samples":[{"$numberDouble":"1.0"},{"$numberDouble":"NaN"}],"temperature":\
                {"$numberDouble":"21.5"},"windSpeed":{"$numberLong":"4"}}
                """
        )
    }

    @Test("C18: entries belong to their transaction: a roll-back and a data error remove them")
    func rollback() throws {
        realm.beginWrite()
        realm.create(SensorReading.self, value: ["deviceId": "1"])
        #expect(try realm.outbox.entries().count == 1)
        realm.cancelWrite()
        #expect(try realm.outbox.entries().isEmpty)
        let error = #expect(throws: Realm.Error.self) {
            try realm.write { realm in
                realm.create(SensorReading.self, value: ["deviceId": "1"])
                realm.create(SensorReading.self, value: ["deviceId": 2])
            }
        }
        #expect(error?.message.contains("SensorReading.deviceId") == true)
        #expect(try realm.outbox.entries().isEmpty)
    }

    @Test("entries come in the order of creation, also to another instance, and are removed up to a key")
    func draining() async throws {
        try realm.write { realm in
            for number in 1...5 { realm.create(SensorReading.self, value: ["windSpeed": number]) }
        }
        try await file.inSecondInstance { realm in
            let first = try realm.outbox.entries(limit: 2)
            #expect(first.count == 2)
            try realm.write { realm in realm.outbox.remove(through: first.last?.key ?? 0) }
            let rest = try realm.outbox.entries()
            #expect(rest.map(\.key) == [3, 4, 5])
            #expect(rest.first?.document.contains(#""windSpeed":{"$numberLong":"3"}"#) == true)
            try realm.write { realm in
                realm.outbox.remove(through: 5)
                realm.create(SensorReading.self)
            }
            #expect(try realm.outbox.entries().map(\.key) == [6])
        }
    }

    @Test("deleting all objects leaves the outbox")
    func deleteAll() throws {
        try realm.write { realm in
            realm.create(SensorReading.self)
            realm.deleteAll()
        }
        #expect(try realm.outbox.entries().count == 1)
        #expect(realm.outbox.count == 1)
    }

    @Test("a limit of nothing gives nothing; removing before the first entry removes nothing")
    func limits() throws {
        try realm.write { realm in realm.create(SensorReading.self) }
        #expect(try realm.outbox.entries(limit: 0).isEmpty)
        #expect(try realm.outbox.entries(limit: -1).isEmpty)
        try realm.write { realm in realm.outbox.remove(through: 0) }
        #expect(realm.outbox.count == 1)
    }

    @Test("an asymmetric class may change without a migration, and may take the place of a class with objects")
    func schemaChanges() throws {
        let file = try TemporaryRealm([SensorReading.self, SensorPlace.self, Dog.self])
        do {
            let realm = try file.open()
            try realm.write { realm in
                realm.create(SensorReading.self, value: ["deviceId": "old"])
                realm.create(Dog.self)
            }
        }
        let later = try file.open { $0.objectTypes = [ChangedReading.self, AsymmetricDog.self] }
        try later.write { realm in realm.create(ChangedReading.self, value: ["_id": 7, "deviceId": 5]) }
        #expect(try later.outbox.entries().map(\.className) == ["SensorReading", "SensorReading"])
        #expect(try later.outbox.entries().last?.document.contains(#""deviceId":{"$numberLong":"5"}"#) == true)
    }

    @Test("an unmanaged object is filled as others are; the schema names the class as asymmetric")
    func unmanaged() {
        let reading = SensorReading(value: ["deviceId": "x", "place": ["name": "y"]])
        #expect(reading.place?.name == "y")
        #expect(realm.schema["SensorReading"]?.isAsymmetric == true)
        #expect(realm.schema["Dog"]?.isAsymmetric == false)
    }

    @Test("C18: an asymmetric class needs a primary key and no property that can link")
    func schemaRules() {
        let error = #expect(throws: Realm.Error.self) {
            _ = try TemporaryRealm([KeylessReading.self, LinkingReading.self, Dog.self]).open()
        }
        #expect(error?.details.count == 3)
        #expect(error?.message.contains("'KeylessReading' has no primary key") == true)
        #expect(error?.message.contains("'LinkingReading.dog' can link to objects") == true)
        #expect(error?.message.contains("'LinkingReading.other' can link to objects") == true)
    }

    @Test("a class that the realm does not manage dooms the transaction")
    func unknownClass() throws {
        let realm = try TemporaryRealm([Dog.self]).open()
        #expect(try realm.outbox.entries().isEmpty)
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm in realm.create(SensorReading.self) }
        }
    }

    @Test("creating outside of a write traps")
    func outsideWrite() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm([SensorReading.self, SensorPlace.self])
            try file.open().create(SensorReading.self)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("create an object of 'SensorReading' was made outside of a write transaction"))
    }
}
