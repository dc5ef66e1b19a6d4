import EventModel
import EventModelTesting
import EventRecording
import EventRecordingTesting
import Synchronization
import Testing

@Suite("Texts that are too long")
struct LongTextTests {
    private static let object = SampleClass("object")

    /// A recorder whose errors are kept.
    private static func fixture(_ errors: Errors) throws -> RecordingFixture {
        try RecordingFixture(
            EventConfiguration(errorHandler: { error in errors.all.withLock { $0.append("\(error)") } })
        )
    }

    private final class Errors: Sendable {
        let all = Mutex<[String]>([])
    }

    @Test("a name of more than a kilobyte is cut and reported, and every event of the scope is stored")
    func names() async throws {
        let errors = Errors()
        let fixture = try Self.fixture(errors)
        let long = String(repeating: "é", count: 5000)

        let scope = fixture.events.beginScope(activity: long)
        fixture.store.read(Self.object, 1)
        try await scope.commit()
        try await fixture.events.persistEvent(activity: long, eventType: long, data: long)
        try await fixture.events.persistEvent(activity: String(repeating: "a", count: 1024))

        let events = fixture.sink.events
        #expect(events.count == 3)
        #expect(events.map(\.activity.utf8.count) == [1023, 1023, 1024])
        #expect(events[0].activity.hasPrefix("éé") && events[0].activity.hasSuffix("é…"))
        #expect(events[1].event == events[0].activity)
        #expect(events[1].dataText == long)
        let reported = errors.all.withLock(\.self)
        #expect(reported.count == 3)
        #expect(reported.allSatisfy { $0 == RecordingError.nameTooLong(byteCount: 10_000, limit: 1024).description })
    }

    @Test("metadata of more than 64 KiB is refused as a whole, and the old stays")
    func metadata() async throws {
        let errors = Errors()
        let fixture = try Self.fixture(errors)
        try fixture.events.replaceMetadata(["user": "nurse"])
        let long = ["a": String(repeating: "1", count: 40_000), "b": String(repeating: "2", count: 25_535)]

        #expect(throws: EventModelError.metadataTooLong(byteCount: 65_537)) {
            try fixture.events.replaceMetadata(long)
        }
        fixture.events.updateMetadata(long)
        try await fixture.events.persistEvent(activity: "a")

        #expect(fixture.sink.events.map { $0.metadata.dictionary } == [["user": "nurse"]])
        #expect(errors.all.withLock(\.count) == 1)
        #expect(throws: EventModelError.self) { try RecordingFixture(EventConfiguration(metadata: long)) }
    }
}
