import EventModel
import EventModelTesting
import EventRecording
import EventRecordingTesting

/// A recorder with fakes on every side.
struct RecordingFixture {
    let sink: InMemoryEventSink
    let clock: ManualClock
    let recorder: Recorder
    let events: Events
    let store: FakeStore

    init(
        _ configuration: EventConfiguration = EventConfiguration(),
        encoder: any SnapshotEncoder = FixedEncoder(),
        sink: InMemoryEventSink = InMemoryEventSink(),
        clock: ManualClock = ManualClock(),
        journals: InMemoryScopeJournals? = nil,
        timer: ManualTimer = ManualTimer(),
        place: (@Sendable (UInt64) -> SyncReference)? = nil
    ) throws {
        self.sink = sink
        self.clock = clock
        recorder = try Recorder(
            configuration: configuration,
            encoder: encoder,
            sink: sink,
            journals: journals,
            clock: clock,
            timer: timer,
            ids: SequentialIds()
        )
        events = Events(recorder: recorder, owner: nil)
        store = FakeStore(observer: recorder, place: place)
    }

    /// The payloads that are stored, in order.
    var payloads: [String] { sink.events.map { $0.dataText ?? "nil" } }

    /// The kinds and payloads that are stored, in order.
    var texts: [String] { sink.events.map { "\($0.event ?? "nil") \($0.dataText ?? "nil")" } }

    /// Runs the body within one scope, commits it and waits until it is stored.
    func record(_ activity: String = "scope", _ body: (FakeStore) -> Void) async throws {
        let scope = events.beginScope(activity: activity)
        body(store)
        try await scope.commit()
    }
}
