import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Creating: asymmetric objects")
struct AsymmetricRowTests {
    private let page: PageRealm
    private var realm: Realm { page.realm }

    init() throws { page = try PageRealm() }

    private let value: [String: any Sendable] = [
        "_id": ObjectId("507f1f77bcf86cd799439011"), "deviceId": "WX1278UIT", "temperatureInFahrenheit": 66.7,
        "barometricPressureInHg": 29.65, "windSpeedInMph": 2,
    ]

    @Test("Row 28: an asymmetric object is created from a value and goes one way: into the outbox, out of the program")
    func creating() throws {
        try realm.write { realm in
            realm.create(PageWeatherSensor.self, value: value)
            realm.create(PageWeatherSensor.self, value: ["place": ["latitude": 48.2]])
        }

        let entries = try realm.outbox.entries()
        #expect(entries.map(\.className) == ["PageWeatherSensor", "PageWeatherSensor"])
        let first = try #require(entries.first)
        let document = try #require(try PageRealm.json(first.document) as? [String: Any])
        #expect(document["deviceId"] as? String == "WX1278UIT")
        #expect((document["_id"] as? [String: String])?["$oid"] == "507f1f77bcf86cd799439011")
        #expect(entries.last?.document.contains("48.2") == true)
        #expect(realm.isEmpty)
        #expect(try page.elsewhere { try $0.outbox.entries().count } == 2)
    }

    @Test("Row 28: it cannot be queried, added, linked to or kept in a collection: its class is of no such type")
    func types() {
        #expect(!(PageWeatherSensor.self as Any is any RealmFetchable.Type))
        #expect(!(PageWeatherSensor.self as Any is any RealmCollectionValue.Type))
        #expect(!(PageWeatherSensor.self as Any is Object.Type))
        #expect(!(PageWeatherSensor.self as Any is EmbeddedObject.Type))
    }

    @Test("Row 28: it cannot be removed, and is no value of an object")
    func removing() throws {
        let sensor = PageWeatherSensor(value: value)
        #expect(sensor.realm == nil)
        #expect(page.error { realm in realm.delete(sensor) }?.code == .invalidInput)
        #expect(page.error { realm in realm.create(PageDog.self, value: ["companion": sensor]) }?.code == .invalidInput)
        #expect(realm.outbox.count == 0)
    }

    @Test("Row 28: it belongs to its transaction: nothing of it stays when that is cancelled or has an error")
    func rollback() throws {
        #expect(
            page.error { realm in
                realm.create(PageWeatherSensor.self, value: value)
                realm.create(PageWeatherSensor.self, value: ["windSpeedInMph": 1.5])
            }?
            .message.contains("'PageWeatherSensor.windSpeedInMph'") == true
        )
        realm.beginWrite()
        realm.create(PageWeatherSensor.self, value: value)
        realm.cancelWrite()

        #expect(try realm.outbox.entries().isEmpty)
    }

    @Test("Row 29: a realm needs no configuration for it: its class is listed like others, or found")
    func configuration() throws {
        #expect(realm.schema["PageWeatherSensor"]?.isAsymmetric == true)
        let found = try TemporaryRealm { $0.objectTypes = nil }
        let realm = try found.open()
        #expect(realm.schema["PageWeatherSensor"]?.isAsymmetric == true)
        try realm.write { realm in realm.create(PageWeatherSensor.self, value: value) }
        #expect(realm.outbox.count == 1)
    }
}
