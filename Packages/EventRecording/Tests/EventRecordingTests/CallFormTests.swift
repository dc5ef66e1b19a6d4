import EventModel
import EventModelTesting
import EventRecording
import EventRecordingTesting
import Synchronization
import Testing

#if canImport(Combine)
import Combine
#endif

/// Every way to write the calls of the Event Library, in synchronous and asynchronous code.
@Suite("Forms of calls")
struct CallFormTests {
    private static let object = SampleClass("object")

    /// What completions were called with.
    private final class Outcomes: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        func note(_ error: (any Error)?) { texts.withLock { $0.append(error.map { "\($0)" } ?? "stored") } }
    }

    private let outcomes = Outcomes()
    private let fixture: RecordingFixture

    init() throws {
        fixture = try RecordingFixture()
    }

    private func begin(_ activity: String) -> Events.Scope {
        let scope = fixture.events.beginScope(activity: activity)
        fixture.store.read(Self.object, 1)
        return scope
    }

    @Test("in synchronous code commit takes nothing, a completion by name, behind the call, or nil")
    func synchronous() {
        let outcomes = outcomes

        begin("plain").commit()
        begin("named").commit(completion: { error in outcomes.note(error) })
        begin("trailing").commit { outcomes.note($0) }
        begin("nil").commit(completion: nil)
        fixture.recorder.waitUntilIdle()

        #expect(fixture.sink.events.map(\.activity) == ["plain", "named", "trailing", "nil"])
        #expect(outcomes.all == ["stored", "stored"])
    }

    @Test("in asynchronous code an awaited commit waits until the scope is durable")
    func awaited() async throws {
        let scope = begin("awaited")

        try await scope.commit()

        #expect(fixture.sink.events.map(\.activity) == ["awaited"])
    }

    @Test("persist waits until the scope is durable, and an ended scope is an error")
    func persisted() async throws {
        let scope = begin("persisted")

        try await scope.persist()

        #expect(fixture.sink.events.map(\.activity) == ["persisted"])
        #expect(!scope.isActive)
        await #expect(throws: RecordingError.scopeNotActive(id: 1)) { try await scope.persist() }
    }

    @Test("in asynchronous code commit with a completion, or with nil, returns at once and needs no await")
    func asynchronousWithCompletion() async {
        let outcomes = outcomes

        begin("trailing").commit { outcomes.note($0) }
        begin("nil").commit(completion: nil)
        await fixture.events.flush()

        #expect(fixture.sink.events.map(\.activity) == ["trailing", "nil"])
        #expect(outcomes.all == ["stored"])
    }

    @Test("synchronous functions and closures inside asynchronous code commit without await")
    func synchronousInside() async {
        let scopes = [begin("closure"), begin("function")]
        let closure = { scopes[0].commit() }
        func function() { scopes[1].commit() }

        closure()
        function()
        await fixture.events.flush()

        #expect(fixture.sink.events.map(\.activity) == ["closure", "function"])
    }

    @Test("a second commit or a cancellation behind it traps nowhere: completion and await get the error")
    func ended() async throws {
        let outcomes = outcomes
        let scope = begin("once")
        let refused = RecordingError.scopeNotActive(id: 1)

        try await scope.commit()
        scope.commit { outcomes.note($0) }
        scope.commit(completion: nil)
        scope.cancel()
        await #expect(throws: refused) { try await scope.commit() }

        #expect(outcomes.all == ["\(refused)"])
        #expect(fixture.sink.events.count == 1)
    }

    @Test("a cancelled scope stays cancelled, however often it is ended")
    func cancelled() async {
        let outcomes = outcomes
        let scope = begin("never")

        scope.cancel()
        scope.cancel()
        scope.commit { outcomes.note($0) }
        await #expect(throws: RecordingError.scopeNotActive(id: 1)) { try await scope.commit() }

        #expect(outcomes.all == ["\(RecordingError.scopeNotActive(id: 1))"])
        #expect(fixture.sink.events.isEmpty)
    }

    @Test("cancelling the task of an awaited commit loses nothing")
    func cancelledTask() async throws {
        let recorder = fixture.recorder
        let (store, object) = (fixture.store, Self.object)

        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let scope = Events(recorder: recorder, owner: nil).beginScope(activity: "cancelled task")
            store.read(object, 1)
            try await scope.commit()
        }
        try await task.value

        #expect(fixture.sink.events.map(\.activity) == ["cancelled task"])
    }

    @Test("recordEvent takes type, data and completion in every combination, also in asynchronous code")
    func recordEvent() async {
        let events = fixture.events
        let outcomes = outcomes

        events.recordEvent(activity: "1")
        events.recordEvent(activity: "2", eventType: "type")
        events.recordEvent(activity: "3", data: "data")
        events.recordEvent(activity: "4", eventType: "type", data: "data")
        events.recordEvent(activity: "5", completion: { outcomes.note($0) })
        events.recordEvent(activity: "6") { outcomes.note($0) }
        events.recordEvent(activity: "7", eventType: nil, data: nil, completion: nil)
        events.recordEvent(activity: "8", eventType: "type", data: "data") { outcomes.note($0) }
        await events.flush()

        #expect(fixture.sink.events.map(\.activity) == (1...8).map { "\($0)" })
        #expect(fixture.sink.events.map(\.event) == [nil, "type", nil, "type", nil, nil, nil, "type"])
        #expect(fixture.sink.events.map(\.dataText) == [nil, nil, "data", "data", nil, nil, nil, "data"])
        #expect(outcomes.all == ["stored", "stored", "stored"])
    }

    #if canImport(Combine)
    @Test("a future is fulfilled when the scope or the event is durable, and fails on an ended scope")
    func futures() async throws {
        let scope = begin("future")
        let commit: Future<Void, any Error> = scope.commit()
        try await commit.value
        let event: Future<Void, any Error> = fixture.events.recordEvent(activity: "event", eventType: "type")
        try await event.value
        let second: Future<Void, any Error> = scope.commit()

        await #expect(throws: RecordingError.scopeNotActive(id: 1)) { try await second.value }
        #expect(fixture.sink.events.map(\.activity) == ["future", "event"])
    }
    #endif
}
