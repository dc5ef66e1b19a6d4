import Daybook
import ObjectStoreTesting
import Synchronization
import Testing

@MainActor
@Suite("Realm.Configuration.eventConfiguration")
struct RealmEventConfigurationTests {
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

    @Test("1.2: no conversion of the configuration loses the logger, the error handler or any other part")
    func conversions() async throws {
        let place = try RecordingRealm()
        let reported = Mutex<[String]>([])
        let complete = EventConfiguration(
            metadata: ["a": "b"],
            partitionPrefix: "ward",
            logger: { _, message in reported.withLock { $0.append(message) } },
            errorHandler: { error in reported.withLock { $0.append("\(error)") } },
            recordsEmptyQueries: true,
            dataRepresentation: .sha256,
            directory: place.path
        )
        let realm = try place.open(complete)
        var viaDefault = Realm.Configuration.defaultConfiguration
        viaDefault.eventConfiguration = complete
        let elsewhere = try await Realm(configuration: realm.configuration, actor: MainActor.shared)

        let copies = [
            realm.configuration, try await Realm(configuration: realm.configuration).configuration, viaDefault,
            elsewhere.configuration, realm.freeze().configuration,
        ]
        for copy in copies {
            reported.withLock { $0 = [] }
            let events = try #require(copy.eventConfiguration)
            events.logger?(.info, "logged")
            events.errorHandler?(RecordingError.scopeNotActive(id: 1))

            #expect(reported.withLock { $0 } == ["logged", "\(RecordingError.scopeNotActive(id: 1))"])
            #expect(events.metadata == ["a": "b"])
            #expect(events.partitionPrefix == "ward")
            #expect(events.recordsEmptyQueries)
            #expect(events.dataRepresentation == .sha256)
            #expect(events.directory == place.path)
        }
    }

    @Test("the logger of the configuration gets what the recorder does")
    func logger() async throws {
        let place = try RecordingRealm()
        let reported = Mutex<[String]>([])
        let realm = try place.open(
            EventConfiguration(logger: { _, message in reported.withLock { $0.append(message) } })
        )

        try await #require(realm.events).beginScope(activity: "ward round").commit()

        #expect(reported.withLock { $0.contains { $0.contains("ward round") } })
    }

    @Test(
        "data is shown in events as the configuration says",
        arguments: [
            (.excluded, "{}", #"{"bytes":null}"#),
            (
                .sha256, #"{"bytes":"4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"}"#,
                #"{"bytes":"dbc1b4c900ffe48d575b5da5c638040125f65db0fe3e24494b76ea986457d986"}"#
            ),
            (.base64, #"{"bytes":"AQ=="}"#, #"{"bytes":"Ag=="}"#),
        ] as [(DataRepresentation, String, String)]
    )
    func data(representation: DataRepresentation, object: String, newValue: String) async throws {
        let place = try TemporaryRealm([Scan.self]) {
            $0.eventConfiguration = EventConfiguration(dataRepresentation: representation)
        }
        let realm = try place.open()
        try realm.write { realm in realm.create(Scan.self, value: ["bytes": Data([1])]) }
        let scope = try #require(realm.events).beginScope(activity: "scan")
        let scan = try #require(realm.objects(Scan.self).first)
        try realm.write { _ in scan.bytes = Data([2]) }
        try await scope.commit()

        #expect(
            try place.storedEvents().map(\.dataText) == [
                #"{"type":"Scan","value":[\#(object)]}"#,
                #"{"Scan":{"modifications":[{"newValue":\#(newValue),"oldValue":\#(object)}]}}"#,
            ]
        )
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

    @Test("an invalid prefix or metadata key makes opening throw", arguments: ["", "a/b", "..", ".", "a\nb"])
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

private final class Scan: Object {
    @Persisted var bytes: Data
}
