import EventModel
import EventModelTesting
import EventRecording
import EventRecordingTesting
import Synchronization
import Testing

@Suite("Custom events")
struct CustomEventTests {
    @Test(
        "type and data are stored exactly as given",
        .tags(.scenario89, .scenario90, .scenario91, .scenario92, .scenario93),
        arguments: [
            (nil, nil), ("button", nil), (nil, #"{"a":1}"#), (nil, "not JSON"), ("button", #"{"a":1}"#), ("", ""),
        ] as [(String?, String?)]
    )
    func typeAndData(eventType: String?, data: String?) async throws {
        let fixture = try RecordingFixture()

        try await fixture.events.persistEvent(activity: "tap", eventType: eventType, data: data)

        let event = try #require(fixture.sink.events.first)
        #expect(event.activity == "tap")
        #expect(event.event == eventType)
        #expect(event.dataText == data)
        #expect(event.scopeCommitted == nil)
    }

    @Test("custom events around a scope keep their own names and complete in the order of calls", .tags(.scenario54))
    func aroundScope() async throws {
        let fixture = try RecordingFixture()
        let completed = Mutex<[String]>([])
        let note: @Sendable (String) -> @Sendable ((any Error)?) -> Void = { name in
            { error in completed.withLock { $0.append(error == nil ? name : "\(name) failed") } }
        }

        fixture.events.recordEvent(activity: "before", completion: note("before"))
        let scope = fixture.events.beginScope(activity: "scope")
        fixture.events.recordEvent(activity: "inside", eventType: "type", completion: note("inside"))
        fixture.events.recordEvent(activity: "inside too", data: "data", completion: note("inside too"))
        scope.commit(completion: note("scope"))
        fixture.events.recordEvent(activity: "after", eventType: "type", data: "data", completion: note("after"))
        await fixture.events.flush()

        #expect(completed.withLock { $0 } == ["before", "inside", "inside too", "scope", "after"])
        #expect(fixture.sink.events.map(\.activity) == ["before", "inside", "inside too", "after"])
    }

    @Test("the timestamp is the instant of the call")
    func timestamp() async throws {
        let fixture = try RecordingFixture(clock: ManualClock(start: EventInstant(microseconds: 5)))

        fixture.events.recordEvent(activity: "early")
        fixture.clock.advance(microseconds: 100)
        await fixture.events.flush()

        #expect(fixture.sink.events.map(\.timestamp.microseconds) == [5])
    }
}
