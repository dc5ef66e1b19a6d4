import EventModel
import EventModelTesting
import EventRecording
import EventRecordingTesting
import Synchronization
import Testing

@Suite("Metadata")
struct MetadataTests {
    private static let object = SampleClass("object")

    @Test("metadata that is updated before a scope is on its events", .tags(.scenario49))
    func updatedBefore() async throws {
        let fixture = try RecordingFixture(EventConfiguration(metadata: ["user": "a"]))

        fixture.events.updateMetadata(["user": "b"])
        try await fixture.record { $0.read(Self.object, 1) }

        #expect(fixture.sink.events.map { $0.metadata.dictionary } == [["user": "b"]])
    }

    @Test(
        "metadata that is updated during a scope is not on its events, but on custom events at once",
        .tags(.scenario50)
    )
    func updatedDuring() async throws {
        let fixture = try RecordingFixture()

        let scope = fixture.events.beginScope(activity: "scope")
        fixture.store.read(Self.object, 1)
        fixture.events.updateMetadata(["user": "b"])
        try await scope.commit()
        try await fixture.events.persistEvent(activity: "custom")

        #expect(fixture.sink.events.map { $0.metadata.dictionary } == [[:], ["user": "b"]])
    }

    @Test("updates replace: none, one key, another key, none again", .tags(.scenario87))
    func replaced() async throws {
        let fixture = try RecordingFixture()

        try await fixture.events.persistEvent(activity: "none")
        for metadata in [["a": "1"], ["b": "2"], [:]] {
            fixture.events.updateMetadata(metadata)
            try await fixture.record { $0.read(Self.object, 1) }
        }

        #expect(fixture.sink.events.map { $0.metadata.dictionary } == [[:], ["a": "1"], ["b": "2"], [:]])
    }

    @Test("merging changes the keys that are named and leaves the others: a new one, a new value, none")
    func merged() async throws {
        let fixture = try RecordingFixture(EventConfiguration(metadata: ["nurse": "a", "ward": "7"]))

        for changes in [["reason": "fall"], ["ward": "8"], ["reason": nil, "unknown": nil], [:]] {
            try fixture.events.mergeMetadata(changes)
            fixture.events.recordEvent(activity: "update")
        }
        await fixture.events.flush()

        #expect(
            fixture.sink.events.map { $0.metadata.dictionary } == [
                ["nurse": "a", "ward": "7", "reason": "fall"], ["nurse": "a", "ward": "8", "reason": "fall"],
                ["nurse": "a", "ward": "8"], ["nurse": "a", "ward": "8"],
            ]
        )
    }

    @Test("metadata that becomes too long by merging is refused as a whole")
    func mergedTooLong() async throws {
        let fixture = try RecordingFixture(EventConfiguration(metadata: ["nurse": "a"]))
        let half = String(repeating: "x", count: EventMetadata.maximumBytes / 2)

        try fixture.events.mergeMetadata(["first": half])
        #expect(throws: EventModelError.self) { try fixture.events.mergeMetadata(["nurse": nil, "second": half]) }
        try await fixture.events.persistEvent(activity: "after")

        #expect(fixture.sink.events.map { $0.metadata.dictionary } == [["nurse": "a", "first": half]])
    }

    @Test("threads that merge different keys lose none of each other's")
    func mergedByThreads() async throws {
        let fixture = try RecordingFixture()
        let recorder = fixture.recorder

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 { group.addTask { try recorder.mergeMetadata(["key \(number)": "value"]) } }
            try await group.waitForAll()
        }
        try await fixture.events.persistEvent(activity: "after")

        #expect(fixture.sink.events.map(\.metadata.entries.count) == [50])
    }

    @Test("a scope that is active keeps its metadata when others are merged")
    func mergedDuring() async throws {
        let fixture = try RecordingFixture(EventConfiguration(metadata: ["nurse": "a"]))

        let scope = fixture.events.beginScope(activity: "scope")
        fixture.store.read(Self.object, 1)
        try fixture.events.mergeMetadata(["reason": "fall"])
        try await scope.commit()

        #expect(fixture.sink.events.map { $0.metadata.dictionary } == [["nurse": "a"]])
    }

    @Test("a hundred updates to a different key are each on exactly one event", .tags(.scenario51))
    func hundredKeys() async throws {
        let fixture = try RecordingFixture()
        let metadata = (0..<100).map { ["key \($0)": "value \($0)"] }

        for columns in metadata {
            fixture.events.updateMetadata(columns)
            fixture.events.recordEvent(activity: "update")
        }
        await fixture.events.flush()

        #expect(fixture.sink.events.map { $0.metadata.dictionary } == metadata)
    }

    @Test("metadata that grows to a hundred keys gives event i i + 1 keys", .tags(.scenario52))
    func growing() async throws {
        let fixture = try RecordingFixture()
        var metadata: [String: String] = [:]

        for index in 0..<100 {
            metadata["key \(index)"] = "value"
            fixture.events.updateMetadata(metadata)
            fixture.events.recordEvent(activity: "update")
        }
        await fixture.events.flush()

        #expect(fixture.sink.events.map(\.metadata.entries.count) == Array(1...100))
    }

    @Test(
        "an invalid update is rejected as a whole, reported, and leaves the old metadata",
        .tags(.scenario104),
        .bug(id: "E10"),
        arguments: ["", "activity", "_id", String(repeating: "k", count: 64)]
    )
    func invalidUpdate(key: String) async throws {
        let log = LogSpy()
        let errors = Mutex<[String]>([])
        let fixture = try RecordingFixture(
            EventConfiguration(
                metadata: ["user": "a"],
                logger: log.logger,
                errorHandler: { error in errors.withLock { $0.append("\(error)") } }
            )
        )

        fixture.events.updateMetadata(["fine": "1", key: "2"])
        #expect(throws: EventModelError.self) { try fixture.events.replaceMetadata([key: "2"]) }
        #expect(throws: EventModelError.self) {
            try fixture.events.mergeMetadata(["fine": "1", "user": nil, key: "2"])
        }
        try await fixture.events.persistEvent(activity: "after")

        #expect(fixture.sink.events.map { $0.metadata.dictionary } == [["user": "a"]])
        #expect(errors.withLock { $0.count } == 1)
        #expect(log.messages(.error).count == 1)
    }

    @Test(
        "opening another instance with the same metadata does not revert an update",
        .tags(.scenario104),
        .bug(id: "E10")
    )
    func sameOpening() async throws {
        let configuration = EventConfiguration(metadata: ["user": "a"])
        let fixture = try RecordingFixture(configuration)

        fixture.events.updateMetadata(["user": "b"])
        try fixture.recorder.didReopen(with: configuration)
        try await fixture.events.persistEvent(activity: "after")

        #expect(fixture.sink.events.map { $0.metadata.dictionary } == [["user": "b"]])
    }

    @Test("opening another instance with other metadata replaces it for scopes that begin later", .tags(.scenario53))
    func otherOpening() async throws {
        let fixture = try RecordingFixture(EventConfiguration(metadata: ["user": "a"]))

        let early = fixture.events.beginScope(activity: "early")
        try fixture.recorder.didReopen(with: EventConfiguration(metadata: ["user": "b"]))
        let late = fixture.events.beginScope(activity: "late")
        fixture.store.read(Self.object, 1)
        try await early.commit()
        try await late.commit()

        #expect(fixture.sink.events.map { $0.metadata.dictionary } == [["user": "a"], ["user": "b"]])
    }
}
