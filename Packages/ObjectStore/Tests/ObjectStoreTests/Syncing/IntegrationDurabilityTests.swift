import ChangeModel
import ChangeModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("What waits for the disk in sync")
struct IntegrationDurabilityTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let person = ObjectAddress("SyncedPerson", .int(1))

    init() throws {
        file = try TemporaryRealm([SyncedPerson.self]) { $0.keepsChanges = true }
        realm = try file.open()
    }

    /// 2 for a connection whose commits wait for the disk, 1 for one whose do not.
    private static func setting(_ connection: Connection) throws(Realm.Error) -> Int64? {
        try connection.prepare("PRAGMA synchronous").keys().first
    }

    private var setting: Int64? {
        get throws { try Self.setting(realm.core.store.connection) }
    }

    private var creation: ChangeOperation { ChangeOperation(person, .create(given: ["name": "Ada"], defaults: [:])) }

    @Test("is every commit but an integration of entries")
    func commits() throws {
        #expect(try setting == 2)
        let inside = try realm.core.writeSynced(waitsForDisk: false) { integration throws(Realm.Error) in
            try Self.setting(integration.objects.store.connection)
        }
        #expect(inside == 1)
        #expect(try setting == 2)
        _ = try realm.core.integrate([.sample(1, [creation])])
        #expect(try setting == 2)
        let durable = try realm.core.writeSynced { integration throws(Realm.Error) in
            try Self.setting(integration.objects.store.connection)
        }
        #expect(durable == 2)
        #expect(realm.objects(SyncedPerson.self).first?.name == "Ada")
    }

    @Test("is each commit after an integration that failed")
    func failure() throws {
        let unfit = ChangeOperation(person, .set("age", "old"))
        #expect(throws: Realm.Error.self) { try realm.core.integrate([.sample(1, [creation, unfit])]) }
        #expect(try setting == 2)
        try realm.write { _ = realm.create(SyncedPerson.self, value: ["id": 2] as [String: Any]) }
        #expect(realm.objects(SyncedPerson.self).map(\.id) == [2])
    }

    @Test("leaves what an instance shows as it is")
    func shown() throws {
        _ = try realm.core.integrate([.sample(1, [creation])])
        let shown = try #require(realm.objects(SyncedPerson.self).first)
        #expect(shown.age == nil)
        _ = try realm.core.integrate([.sample(2, [ChangeOperation(person, .set("age", 7))])])
        #expect(shown.age == 7 && shown.name == "Ada")
        try realm.write { shown.age = 8 }
        #expect(shown.age == 8)
    }

    @Test("is nothing in a realm that vanishes with its last instance")
    func inMemory() throws {
        var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [SyncedPerson.self])
        configuration.keepsChanges = true
        let realm = try Realm(configuration: configuration)
        _ = try realm.core.integrate([.sample(1, [creation])])
        #expect(try Self.setting(realm.core.store.connection) == 0)
    }
}
