import EventModel
import EventModelTesting
import EventRecordingTesting

@testable import EventRecording

/// A process that records with a journal, and whose end and time are in the hands of a test.
struct JournalFixture {
    let journals: InMemoryScopeJournals
    let sink: InMemoryEventSink
    /// What the realm's file keeps; nil for a realm that keeps nothing.
    let notes: InMemoryCommitNotes?
    let clock = ManualClock()
    let timer = ManualTimer()
    let log = LogSpy()
    let recorder: Recorder
    let events: Events
    let store: FakeStore

    init(
        _ journals: InMemoryScopeJournals = InMemoryScopeJournals(),
        sink: InMemoryEventSink = InMemoryEventSink(),
        policy: EventConfiguration.CrashPolicy = .keep,
        firstId: UInt32 = 1000,
        realm: String = "/data/chart.realm",
        notes: InMemoryCommitNotes? = nil,
        place: (@Sendable (UInt64) -> SyncReference)? = nil
    ) throws {
        self.journals = journals
        self.notes = notes
        self.sink = sink
        recorder = try Recorder(
            configuration: EventConfiguration(logger: log.logger, crashPolicy: policy),
            encoder: FixedEncoder(),
            sink: sink,
            journals: journals,
            realm: RealmIdentity(path: realm, isInMemory: false),
            notes: notes,
            clock: clock,
            timer: timer,
            ids: SequentialIds(first: firstId)
        )
        events = Events(recorder: recorder, owner: nil)
        store = FakeStore(observer: recorder, notes: notes, place: place)
        // Recovery runs in the background; it must not come to see the journal of this process after its end.
        recorder.waitUntilIdle()
    }

    /// Lets time pass, and waits until what is due is journalled.
    func advance(milliseconds: Int) {
        clock.advance(microseconds: Int64(milliseconds) * 1000)
        timer.advance(nanoseconds: UInt64(milliseconds) * 1_000_000)
        settle()
    }

    /// Waits until the journal is quiet.
    func settle() {
        recorder.journaling?.sync { _ in }
    }

    /// Ends this process and begins the next one, with another sink, which recovers what was left behind.
    func crash(
        sink: InMemoryEventSink = InMemoryEventSink(),
        policy: EventConfiguration.CrashPolicy = .keep,
        firstId: UInt32 = 500_000
    ) throws -> JournalFixture {
        settle()
        journals.endProcess()
        notes?.endProcess()
        return try JournalFixture(journals, sink: sink, policy: policy, firstId: firstId, notes: notes)
    }

    /// What is stored: activity, payload and marks of each event.
    var stored: [String] {
        sink.events.map { event in
            let marks = event.marks.contains(.interrupted) ? " interrupted" : ""
            return "\(event.activity) \(event.dataText ?? "nil")\(marks)"
        }
    }
}
