import Dispatch
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Programs for RealmSwift: Realm")
struct RealmCompatibilityTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm(Harbour.types)
        realm = try file.open()
    }

    @Test("a realm is opened by configuration, by file and on a queue")
    func opening() throws {
        let url = try #require(file.configuration.fileURL)
        #expect(try Realm(configuration: file.configuration) == realm)
        #expect(try Realm(configuration: file.configuration, queue: nil) == realm)
        let queue = DispatchQueue(label: "harbour")
        try queue.sync {
            let other = try Realm(configuration: file.configuration, queue: queue)
            #expect(other.configuration.fileURL == url)
        }
        let made = file.folder.appendingPathComponent("made.realm")
        #expect(try Realm(fileURL: made).isEmpty)
        #expect(realm.configuration.fileURL == url)
        #expect(realm.schema["Boat"]?.primaryKeyProperty?.name == "registration")
    }

    @Test("Realm() opens the default configuration, which a program may set")
    func defaultRealm() async throws {
        await #expect(processExitsWith: .success) {
            let file = try TemporaryRealm(Harbour.types)
            var configuration = Realm.Configuration.defaultConfiguration
            precondition(configuration.fileURL?.lastPathComponent == "default.realm")
            configuration.fileURL = file.configuration.fileURL
            configuration.objectTypes = Harbour.types
            Realm.Configuration.defaultConfiguration = configuration
            let realm = try Realm()
            try realm.write { realm.add(Boat("A")) }
            let queue = DispatchQueue(label: "harbour")
            let count = try queue.sync { try Realm(queue: queue).objects(Boat.self).count }
            precondition(count == 1)
        }
    }

    // MARK: Transactions

    @Test("write returns the value of its block, and rethrows")
    func write() throws {
        let count: Int = try realm.write {
            realm.add(Boat("A"))
            return realm.objects(Boat.self).count
        }
        #expect(count == 1)
        try realm.write {}
        try realm.write(withoutNotifying: []) { realm.deleteAll() }
        struct Storm: Error {}
        #expect(throws: Storm.self) {
            try realm.write {
                realm.add(Boat("B"))
                throw Storm()
            }
        }
        #expect(realm.isEmpty)
    }

    @Test("a transaction can be begun, committed and cancelled")
    func transaction() throws {
        realm.beginWrite()
        #expect(realm.isInWriteTransaction)
        realm.add(Boat("A"))
        try realm.commitWrite()
        realm.beginWrite()
        realm.add(Boat("B"))
        realm.cancelWrite()
        realm.beginWrite()
        try realm.commitWrite(withoutNotifying: [])

        #expect(!realm.isInWriteTransaction)
        #expect(realm.objects(Boat.self).map(\.registration) == ["A"])
    }

    // MARK: Objects

    @Test("objects are added alone and in sequences, with a policy")
    func adding() throws {
        try realm.write {
            realm.add(Boat("A"))
            realm.add(Boat("A", name: "Anna"), update: .modified)
            realm.add([Boat("B"), Boat("C")])
            realm.add([Boat("C", name: "Cora")], update: .all)
            realm.add(["D", "E"].lazy.map { Boat($0) }, update: .error)
        }

        #expect(realm.objects(Boat.self).map(\.name) == ["Anna", "Nameless", "Cora", "Nameless", "Nameless"])
        #expect(Realm.UpdatePolicy(rawValue: 1) == .error)
        #expect(Realm.UpdatePolicy(rawValue: 2) == .all)
        #expect(Realm.UpdatePolicy(rawValue: 3) == .modified)
    }

    @Test("objects are created from nothing, dictionaries, arrays and objects")
    func creating() throws {
        let made = try realm.write { () -> Boat in
            realm.create(Boat.self)
            realm.create(Boat.self, value: ["A", "Anna"])
            realm.create(Boat.self, value: Boat("B"))
            realm.create(TideReport.self)
            realm.create(TideReport.self, value: ["station": "Pier 4", "height": 1.5])
            return realm.create(Boat.self, value: ["registration": "A", "tags": ["fast"]], update: .modified)
        }

        #expect(made.name == "Anna")
        #expect(Array(made.tags) == ["fast"])
        #expect(realm.objects(Boat.self).count == 3)
    }

    @Test("objects are found by class and by primary key")
    func reading() throws {
        let skipper = Skipper(name: "Ida")
        try realm.write { realm.add(skipper) }
        let skippers: Results<Skipper> = realm.objects(Skipper.self)

        #expect(skippers.count == 1)
        #expect(realm.object(ofType: Skipper.self, forPrimaryKey: skipper._id) == skipper)
        #expect(realm.object(ofType: Boat.self, forPrimaryKey: "none") == nil)
    }

    @Test("objects are deleted alone and from every kind of collection")
    func deleting() throws {
        let boat = Boat("A")
        let names = (1...9).map { Skipper(name: "\($0)") }
        try realm.write {
            realm.add(boat)
            boat.crew.append(objectsIn: names[0..<2])
            boat.tenders["dinghy"] = Boat("B")
            realm.add(names)
            realm.delete(names[8])
            realm.delete([names[6], names[7]])
            realm.delete(boat.crew)
            realm.delete(realm.objects(Skipper.self).where { $0.name > "5" })
            realm.delete(boat.tenders)
        }

        #expect(realm.objects(Skipper.self).map(\.name).sorted() == ["3", "4", "5"])
        #expect(realm.objects(Boat.self).count == 1)
        try realm.write { realm.deleteAll() }
        #expect(realm.isEmpty)
    }

    // MARK: Notifications

    @Test("a realm tells of its changes, and can be refreshed and invalidated")
    func refreshing() throws {
        let queue = DispatchQueue(label: "harbour")
        try queue.sync {
            let realm = try Realm(configuration: file.configuration, queue: queue)
            var told: [Realm.Notification] = []
            let block: Realm.NotificationBlock = { notification, _ in told.append(notification) }
            let token: NotificationToken = realm.observe(block)
            try realm.write { realm.add(Boat("A")) }
            try realm.write(withoutNotifying: [token]) { realm.add(Boat("B")) }
            #expect(told == [.didChange])
            try realm.write { realm.add(Boat("C")) }
            token.invalidate()
            #expect(told == [.didChange, .didChange])
        }
        #expect(Realm.Notification(rawValue: Realm.Notification.refreshRequired.rawValue) == .refreshRequired)
        let before = realm.autorefresh
        realm.autorefresh = false
        #expect(!realm.autorefresh)
        realm.autorefresh = before
        realm.refresh()
        #expect(!realm.refresh())
        let boats = realm.objects(Boat.self)
        #expect(boats.count == 3)
        realm.invalidate()
        #expect(realm.objects(Boat.self).count == 3)
    }

    // MARK: Files

    @Test("files of realms are found, copied and deleted")
    func files() throws {
        let copy = file.folder.appendingPathComponent("copy.realm")
        var configuration = file.configuration
        configuration.fileURL = file.folder.appendingPathComponent("second.realm")
        try realm.write { realm.add(Boat("A")) }
        try realm.writeCopy(toFile: copy, encryptionKey: TemporaryRealm.suiteKey)
        try realm.writeCopy(configuration: configuration)

        #expect(Realm.fileExists(for: configuration))
        #expect(try Realm.deleteFiles(for: configuration))
        #expect(!Realm.fileExists(for: configuration))
        configuration.fileURL = copy
        #expect(try Realm(configuration: configuration).objects(Boat.self).count == 1)
    }
}
