import EventModel
import EventModelTesting
import EventRecording
import Synchronization
import Testing

@Suite("EventConfiguration")
struct EventConfigurationTests {
    @Test("the defaults are those of the Event Library")
    func defaults() throws {
        let configuration = EventConfiguration()

        try configuration.validate()

        #expect(configuration.metadata == nil)
        #expect(configuration.syncUser == nil)
        #expect(configuration.partitionPrefix == "events")
        #expect(configuration.logger == nil)
        #expect(configuration.errorHandler == nil)
        #expect(!configuration.recordsEmptyQueries)
        #expect(configuration.dataRepresentation == .excluded)
        #expect(configuration.directory == nil)
        #expect(configuration.quota == EventQuota(bytes: 512 << 20, policy: .refuseNew))
        #expect(configuration.retention == .everything)
        #expect(configuration.durability == .eachCommit)
        #expect(configuration.partitionBytes == 256 << 20)
        #expect(configuration.encryptionKey == nil)
    }

    @Test("a number that makes no sense is refused with the name of its parameter")
    func nonsense() throws {
        func refused(_ change: (inout EventConfiguration) -> Void) -> String? {
            var configuration = EventConfiguration()
            change(&configuration)
            do throws(EventModelError) {
                try configuration.validate()
                return nil
            } catch {
                guard case .invalidParameter(let name, _) = error else { return "\(error)" }
                return error.description.contains(name) ? name : "a sentence without the name"
            }
        }

        #expect(refused { $0.quota.bytes = 0 } == "quota.bytes")
        #expect(refused { $0.quota.bytes = EventQuota.minimumBytes - 1 } == "quota.bytes")
        #expect(refused { $0.quota.bytes = EventQuota.minimumBytes } == nil)
        #expect(refused { $0.quota = .unlimited } == nil)
        #expect(refused { $0.retention.maximumAge = .seconds(59) } == "retention.maximumAge")
        #expect(refused { $0.retention.maximumAge = .seconds(-1) } == "retention.maximumAge")
        #expect(refused { $0.retention = .days(0) } == "retention.maximumAge")
        #expect(refused { $0.retention = .days(1) } == nil)
        #expect(refused { $0.retention.maximumBytes = 0 } == "retention.maximumBytes")
        #expect(refused { $0.durability = .interval(.zero) } == "durability")
        #expect(refused { $0.durability = .interval(.seconds(3601)) } == "durability")
        #expect(refused { $0.durability = .interval(.seconds(1)) } == nil)
        #expect(refused { $0.durability = .system } == nil)
        #expect(refused { $0.partitionBytes = 0 } == "partitionBytes")
        #expect(refused { $0.partitionBytes = 65535 } == "partitionBytes")
        #expect(refused { $0.partitionBytes = .max } == "partitionBytes")
        #expect(refused { $0.partitionBytes = 65536 } == nil)
    }

    private struct Account: EventUser {
        let appID = "app"
        let id = "user"
    }

    @Test("the five parameters of the Event Library come in its order, each with its type and a default")
    func parameters() {
        let reported = Mutex<[String]>([])
        let configuration = EventConfiguration(
            metadata: ["username": "Jason Bourne"],
            syncUser: Account(),
            partitionPrefix: "event-",
            logger: { level, message in reported.withLock { $0.append("\(level) \(message)") } },
            errorHandler: { error in reported.withLock { $0.append("\(error)") } }
        )
        _ = EventConfiguration(metadata: nil, partitionPrefix: "a")
        _ = EventConfiguration(syncUser: nil, logger: nil, errorHandler: nil)

        configuration.logger?(.warn, "message")
        configuration.errorHandler?(RecordingError.scopeNotActive(id: 1))

        #expect(configuration.metadata == ["username": "Jason Bourne"])
        #expect(configuration.syncUser?.id == "user")
        #expect(configuration.partitionPrefix == "event-")
        #expect(reported.withLock { $0 } == ["warn message", "\(RecordingError.scopeNotActive(id: 1))"])
    }

    @Test(
        "a prefix that cannot name a folder is refused",
        .tags(.scenario37, .scenario38),
        arguments: ["", "a/b", "a\\b", ".", "..", "a\nb"]
    )
    func prefix(_ prefix: String) {
        let configuration = EventConfiguration(partitionPrefix: prefix)

        #expect(throws: EventModelError.self) { try configuration.validate() }
        #expect(throws: EventModelError.self) { try RecordingFixture(configuration) }
    }

    @Test("the prefix is checked before the metadata")
    func order() {
        let configuration = EventConfiguration(metadata: ["": ""], partitionPrefix: "")

        #expect(throws: EventModelError.invalidPartitionPrefix("", reason: "it must not be empty")) {
            try configuration.validate()
        }
    }

    @Test(
        "a metadata key that is empty, long, reserved or has control characters is refused, and nothing is recorded",
        .tags(.scenario39, .scenario40, .scenario41),
        arguments: ["", "timestamp", "_partition", "a\nb", String(repeating: "k", count: 64)]
    )
    func metadata(key: String) {
        let configuration = EventConfiguration(metadata: ["fine": "1", key: "2"])

        #expect(throws: EventModelError.self) { try configuration.validate() }
        #expect(throws: EventModelError.self) { try RecordingFixture(configuration) }
    }

    @Test("a thousand keys are on every event")
    func thousandKeys() async throws {
        let metadata = Dictionary(uniqueKeysWithValues: (0..<1000).map { ("key \($0)", "value \($0)") })
        let fixture = try RecordingFixture(EventConfiguration(metadata: metadata))

        try await fixture.events.persistEvent(activity: "one")
        try await fixture.events.persistEvent(activity: "two")

        #expect(fixture.sink.events.map { $0.metadata.dictionary } == [metadata, metadata])
    }

    @Test("activity and type may be any text of a kilobyte, and data any text, also empty, and are stored as they are")
    func anyText() async throws {
        let names = ["", "\u{0}", "a\nb", "ü🩺\u{2028}", String(repeating: "x", count: 1024)]
        let texts: [String] = names.dropLast() + [String(repeating: "x", count: 100_000)]
        let fixture = try RecordingFixture()

        for (name, text) in zip(names, texts) {
            try await fixture.events.persistEvent(activity: name, eventType: name, data: text)
        }

        #expect(fixture.sink.events.map(\.activity) == names)
        #expect(fixture.sink.events.map(\.event) == names)
        #expect(fixture.sink.events.map(\.dataText) == texts)
    }
}
