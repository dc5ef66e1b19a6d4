import Daybook
import Testing

@MainActor
@Suite("Realm.Configuration.eventConfiguration")
struct EventConfigurationTests {
    @Test("without it there are no events")
    func absent() throws {
        let realm = try RecordingRealm().open(nil)

        #expect(realm.configuration.eventConfiguration == nil)
        #expect(realm.events == nil)
        #expect(realm.eventDestination == nil)
    }

    @Test("a copy of the realm's configuration keeps it")
    func copies() throws {
        let place = try RecordingRealm()
        let realm = try place.open(EventConfiguration(metadata: ["a": "b"], partitionPrefix: "ward"))

        #expect(realm.configuration.eventConfiguration?.metadata == ["a": "b"])
        #expect(realm.configuration.eventConfiguration?.partitionPrefix == "ward")
    }

    @Test("files of a local realm lie beside it, readable by their owner alone")
    func localFiles() async throws {
        let place = try RecordingRealm()
        let realm = try place.open(EventConfiguration(partitionPrefix: "ward"))

        try await #require(realm.events).persistEvent(activity: "event")

        let path = try #require(try PartitionFiles.find(below: place.path).first)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(path.hasPrefix("\(place.path)/realm-audit/local/local/ward/"))
        #expect(mode?.intValue == 0o600)
    }

    @Test("an invalid prefix or metadata key makes opening throw", arguments: ["", "a/b", ".."])
    func invalidPrefix(prefix: String) throws {
        let place = try RecordingRealm()

        #expect(throws: EventModelError.self) { try place.open(EventConfiguration(partitionPrefix: prefix)) }
        #expect(throws: EventModelError.self) { try place.open(EventConfiguration(metadata: ["activity": "x"])) }
    }

    @Test("an instance that is opened without it is recorded too")
    func oneRecorderForTheFile() async throws {
        let place = try RecordingRealm()
        let first = try place.open()
        try first.write { $0.add(Person(id: ObjectId(), name: "A", employeeId: 1)) }
        let scope = try #require(first.events).beginScope(activity: "read")

        let path = try #require(first.configuration.fileURL)
        let seen =
            try await Task.detached {
                var configuration = Realm.Configuration(fileURL: path)
                configuration.objectTypes = [Person.self]
                let second = try Realm(configuration: configuration)
                return second.objects(Person.self).first?.name
            }
            .value
        try await scope.commit()

        #expect(seen == "A")
        #expect(try place.storedEvents().count == 1)
    }

    @Test("two realms that record into one folder share its files")
    func sharedFolder() async throws {
        let first = try RecordingRealm()
        let second = try RecordingRealm()
        let shared = EventConfiguration(directory: first.path)
        let one = try first.open(shared)
        let two = try second.open(shared)

        try await #require(one.events).persistEvent(activity: "one")
        try await #require(two.events).persistEvent(activity: "two")

        #expect(try first.storedEvents().map(\.activity) == ["one", "two"])
        #expect(try PartitionFiles.find(below: first.path).count == 1)
    }
}
