import Foundation
import ObjectStore
import ObjectStoreTesting
import Synchronization
import Testing

@Suite("Programs for RealmSwift: configurations, errors, schemas and migrations")
struct ConfigurationCompatibilityTests {
    private let file: TemporaryRealm
    private let url: URL

    init() throws {
        file = try TemporaryRealm(Harbour.types)
        url = try #require(file.configuration.fileURL)
    }

    @Test("a configuration has every setting, in the initialiser and as a property")
    func settings() {
        let all = Realm.Configuration(
            fileURL: url,
            inMemoryIdentifier: nil,
            encryptionKey: nil,
            readOnly: false,
            schemaVersion: 2,
            migrationBlock: { _, _ in },
            deleteRealmIfMigrationNeeded: false,
            shouldCompactOnLaunch: { total, used in total > 100 && used < 50 },
            objectTypes: [Boat.self, Hull.self, Skipper.self],
            seedFilePath: nil
        )
        var configuration = Realm.Configuration()
        #expect(configuration.fileURL?.lastPathComponent == "default.realm")
        configuration.inMemoryIdentifier = "harbour"
        #expect(configuration.fileURL == nil)
        configuration.fileURL = url
        #expect(configuration.inMemoryIdentifier == nil)
        configuration.encryptionKey = nil
        configuration.readOnly = false
        configuration.schemaVersion = 2
        configuration.migrationBlock = { migration, oldSchemaVersion in
            if oldSchemaVersion < 2 { migration.deleteData(forType: "Boat") }
        }
        configuration.deleteRealmIfMigrationNeeded = false
        configuration.shouldCompactOnLaunch = { (total: Int, used: Int) -> Bool in total > used * 2 }
        configuration.objectTypes = [Skipper.self, Boat.self, Hull.self]
        configuration.maximumNumberOfActiveVersions = nil
        configuration.seedFilePath = nil

        #expect(configuration == all)
        #expect(all.description.contains(url.path))
        let sendable: any Sendable = configuration
        _ = sendable
    }

    @Test("errors are caught by their codes")
    func errors() throws {
        var missing = file.configuration
        missing.readOnly = true
        do {
            _ = try Realm(configuration: missing)
            Issue.record("The file does not exist.")
        } catch Realm.Error.fileNotFound {
            #expect(!Realm.fileExists(for: missing))
        }
        do {
            _ = try Realm(configuration: missing)
        } catch let error as Realm.Error {
            #expect(error.code == .fileNotFound)
            #expect(error.fileURL != nil)
            #expect(!error.localizedDescription.isEmpty)
        }
        let caught = Result { try Realm(configuration: missing) }
        guard case .failure(Realm.Error.fileNotFound) = caught else {
            Issue.record("\(caught)")
            return
        }
        #expect(Realm.Error(.fail, "a") == Realm.Error(Realm.Error.callFailed, "b"))
    }

    @Test("schemas, classes and properties can be listed")
    func schema() throws {
        let realm = try file.open()
        let schema: Schema = realm.schema
        let boat: ObjectSchema = try #require(schema["Boat"])
        let crew: Property = try #require(boat["crew"])

        #expect(Set(schema.objectSchema.map(\.className)) == ["Boat", "Skipper", "Hull", "TideReport"])
        let boatClass: AnyClass = boat.objectClass
        #expect(ObjectIdentifier(boatClass) == ObjectIdentifier(Boat.self))
        #expect(!boat.isEmbedded && !boat.isAsymmetric)
        #expect(schema["Hull"]?.isEmbedded == true)
        #expect(schema["TideReport"]?.isAsymmetric == true)
        #expect(boat.primaryKeyProperty?.name == "registration")
        #expect(boat.properties.first?.isIndexed == true)
        #expect(boat.properties.first?.columnName == "registration")
        #expect((crew.name, crew.type, crew.objectClassName) == ("crew", PropertyType.object, "Skipper"))
        #expect((crew.isArray, crew.isSet, crew.isMap, crew.isOptional) == (true, false, false, false))
        #expect(boat["ports"]?.isSet == true && boat["cargo"]?.isMap == true && boat["callSign"]?.isOptional == true)
        #expect(Boat().objectSchema == boat)
        #expect(realm.schema == schema)
        let types: [PropertyType] = [
            .int, .bool, .string, .data, .date, .float, .double, .object, .linkingObjects, .any, .objectId, .decimal128,
            .UUID,
        ]
        #expect(types.map(\.rawValue) == Array(0...12))
    }

    @Test("a migration sees old and new objects by name")
    func migration() throws {
        do {
            let realm = try Realm(configuration: configuration(0, [OldPilot.self, Boat.self, Skipper.self, Hull.self]))
            try realm.write {
                realm.create(OldPilot.self, value: ["firstName": "Ida", "lastName": "Berg", "years": 3])
                realm.create(OldPilot.self, value: ["firstName": "Olaf", "lastName": "Dahl", "years": 9])
                realm.add(Boat("A"))
            }
        }
        #expect(try schemaVersionAtURL(url) == 0)
        #expect(try schemaVersionAtURL(url, encryptionKey: nil) == 0)

        let versions = Mutex<[UInt64]>([])
        let migrationBlock: MigrationBlock = { migration, oldSchemaVersion in
            versions.withLock { $0.append(oldSchemaVersion) }
            precondition(migration.oldSchema["Pilot"]?["firstName"] != nil)
            precondition(migration.newSchema["Pilot"]?["name"] != nil)
            migration.renameProperty(onType: "Pilot", from: "years", to: "experience")
            migration.enumerateObjects(ofType: OldPilot.className()) { oldObject, newObject in
                guard let first = oldObject?["firstName"] as? String, let last = oldObject?["lastName"] as? String
                else { return }
                newObject?["name"] = "\(first) \(last)"
                if first == "Olaf", let newObject { migration.delete(newObject) }
            }
            let made: MigrationObject = migration.create("Pilot", value: ["name": "New"])
            made["experience"] = 1
            migration.create("Pilot")
            let isDeleted: Bool = migration.deleteData(forType: "Boat")
            precondition(isDeleted)
        }
        var configuration = configuration(1, [NewPilot.self, Boat.self, Skipper.self, Hull.self])
        configuration.migrationBlock = migrationBlock
        try Realm.performMigration(for: configuration)
        let realm = try Realm(configuration: configuration)

        #expect(versions.withLock { $0 } == [0])
        #expect(try schemaVersionAtURL(url) == 1)
        #expect(realm.objects(NewPilot.self).map(\.name) == ["Ida Berg", "New", ""])
        #expect(realm.objects(NewPilot.self).map(\.experience) == [3, 1, 0])
        #expect(realm.objects(Boat.self).isEmpty)
    }

    private func configuration(_ version: UInt64, _ types: [ObjectBase.Type]) -> Realm.Configuration {
        Realm.Configuration(fileURL: url, schemaVersion: version, objectTypes: types)
    }
}

private class OldPilot: Object {
    @Persisted var firstName: String
    @Persisted var lastName: String
    @Persisted var years: Int
    override class func _realmObjectName() -> String? { "Pilot" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class NewPilot: Object {
    @Persisted var name: String
    @Persisted var experience: Int
    override class func _realmObjectName() -> String? { "Pilot" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
