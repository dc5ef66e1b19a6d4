import Daybook
import Synchronization
import Testing

@Suite("Scenarios: custom events")
struct CustomEventScenarioTests {
    private let recorded: RecordedRealm

    init() throws {
        recorded = try RecordedRealm()
    }

    /// Records an event and returns what is stored of it.
    private func stored(_ activity: String, eventType: String? = nil, data: String? = nil) throws -> AuditEvent {
        try recorded.recordEvent(activity, eventType: eventType, data: data)
        let stored = try recorded.stored()
        try #require(stored.count == 1)
        return stored[0]
    }

    @Test(
        "Scenario 54: custom events around and inside a scope complete in the order of calls and keep their names",
        .tags(.scenario54)
    )
    func aroundScope() throws {
        let completed = Completions()
        let events = recorded.events

        events.recordEvent(activity: "before", completion: completed.note("before"))
        let scope = events.beginScope(activity: "scope")
        events.recordEvent(activity: "inside", eventType: "type", completion: completed.note("inside"))
        events.recordEvent(activity: "inside too", data: "data", completion: completed.note("inside too"))
        scope.commit(completion: completed.note("scope"))
        events.recordEvent(activity: "after", eventType: "type", data: "data", completion: completed.note("after"))
        recorded.recorder.waitUntilIdle()

        #expect(completed.names == ["before", "inside", "inside too", "scope", "after"])
        let stored = try recorded.stored()
        #expect(stored.map(\.activity) == ["before", "inside", "inside too", "after"])
        #expect(stored.map(\.event) == [nil, "type", nil, "type"])
        #expect(stored.map(\.dataText) == [nil, nil, "data", "data"])
        #expect(zip(stored, stored.dropFirst()).allSatisfy { $0.id < $1.id })
    }

    @Test("Scenario 88: the logger of the configuration gets the name of a scope", .tags(.scenario88))
    func logger() throws {
        let messages = Messages()
        let recorded = try RecordedRealm(Record.types, EventConfiguration(logger: { messages.add($1) }))

        try recorded.record("ward round") {}

        #expect(messages.texts.contains { $0.contains("ward round") })
    }

    @Test("Scenario 89: a custom event without type and data has neither", .tags(.scenario89))
    func plain() throws {
        let event = try stored("event")

        #expect(event.event == nil && event.data == nil)
        #expect(event.activity == "event" && event.scopeCommitted == nil)
    }

    @Test("Scenario 90: a custom event with a type alone has that", .tags(.scenario90))
    func type() throws {
        let event = try stored("event", eventType: "type")

        #expect(event.event == "type" && event.data == nil)
    }

    @Test("Scenario 91: a custom event with JSON keeps it byte for byte", .tags(.scenario91))
    func json() throws {
        let event = try stored("event", data: #"{ "b" : 1, "a" : [ ] }"#)

        #expect(event.event == nil)
        #expect(event.dataText == #"{ "b" : 1, "a" : [ ] }"#)
    }

    @Test("Scenario 92: a custom event with other text keeps it verbatim", .tags(.scenario92))
    func text() throws {
        #expect(try stored("event", data: "not JSON: {").dataText == "not JSON: {")
    }

    @Test("Scenario 93: a custom event with type and data has both", .tags(.scenario93))
    func both() throws {
        let event = try stored("event", eventType: "type", data: "data")

        #expect(event.event == "type" && event.dataText == "data")
    }

    @Test("Scenario 101: an event that is too large fails with an error and blocks nothing", .tags(.scenario101))
    func tooLarge() throws {
        let recorded = try RecordedRealm(
            recording: InjectedRecording(limits: PartitionLimits(eventBytes: 1000))
        )

        try recorded.recordEvent("before")
        #expect(throws: RecordingError.self) {
            try recorded.recordEvent("large", data: String(repeating: "x", count: 1000))
        }
        try recorded.recordEvent("after")

        #expect(try recorded.stored().map(\.activity) == ["before", "after"])
        #expect(recorded.events.statistics.eventsRejected == 1)
    }

    @Test("a payload of 10 MB is stored whole")
    func tenMegabytes() throws {
        let data = String(repeating: "0123456789", count: 1 << 20)

        #expect(try stored("event", data: data).data?.count == 10 << 20)
    }

    @Test(
        "texts of every kind are stored as they are, also empty ones",
        arguments: [
            "", "\u{0}", "👩‍⚕️🇦🇹🏳️‍🌈", "e\u{301} \u{e9}", "\u{202e}right to left", "\u{feff}\u{fffe}\u{10ffff}",
            "line\r\n\u{2028}",
            "\u{d7ff}\u{e000}",
        ]
    )
    func texts(text: String) throws {
        let event = try stored(text, eventType: text, data: text)

        // Compared as bytes, because equal strings may be spelled differently.
        #expect(Array(event.activity.utf8) == Array(text.utf8))
        #expect(event.event.map { Array($0.utf8) } == Array(text.utf8))
        #expect(event.data == Array(text.utf8))
    }
}

/// What completions were called, in order.
private final class Completions: Sendable {
    private let called = Mutex<[String]>([])

    var names: [String] { called.withLock { $0 } }

    func note(_ name: String) -> @Sendable ((any Error)?) -> Void {
        { error in self.called.withLock { $0.append(error == nil ? name : "\(name) failed") } }
    }
}

/// What was logged.
private final class Messages: Sendable {
    private let reported = Mutex<[String]>([])

    var texts: [String] { reported.withLock { $0 } }

    func add(_ text: String) { reported.withLock { $0.append(text) } }
}
