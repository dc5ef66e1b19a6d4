import Dispatch
import EventModel
import EventModelTesting
import EventRecordingTesting
import Testing

@testable import EventRecording

/// The windows in which a process may die after its events were stored and before its journal says so.
///
/// The tests of `Daybook` kill at every call of the file system; these show single rules.
@Suite("Events are stored once, whatever the journal knew")
struct StoredOnceTests {
    private struct Unreadable: Error {}

    private static let person = SampleClass("Person")

    @Test("a committed scope that was stored is not stored again when its process ends before the journal knows")
    func beforeTheNote() throws {
        let journals = InMemoryScopeJournals()
        let sink = InMemoryEventSink { _ in journals.endProcess() }
        let fixture = try JournalFixture(journals, sink: sink)
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.read(Self.person, 1)
        fixture.advance(milliseconds: 100)
        fixture.store.read(Self.person, 2)
        scope.commit()
        fixture.recorder.waitUntilIdle()

        let next = try fixture.crash(sink: sink)

        #expect(next.stored == ["chart Person:1", "chart Person:2"])
        #expect(next.events.statistics.eventsRecorded == 0)
        #expect(journals.count == 0)
    }

    @Test("of a scope of which a part was stored, the rest is, with the ids that it would have had")
    func part() throws {
        let journals = InMemoryScopeJournals()
        let sink = InMemoryEventSink { _ in journals.endProcess() }
        let fixture = try JournalFixture(journals, sink: sink)
        let scope = fixture.events.beginScope(activity: "chart")
        let count = EventBatch.maximumCount + 500
        for key in 1...count { fixture.store.read(Self.person, Int64(key)) }
        fixture.advance(milliseconds: 100)
        scope.commit()
        fixture.recorder.waitUntilIdle()
        let firstProcess = sink.events
        let kept = InMemoryEventSink()
        _ = try kept.append(Array(firstProcess.prefix(EventBatch.maximumCount)))

        let next = try fixture.crash(sink: kept)

        #expect(next.sink.events.map(\.id) == firstProcess.map(\.id))
        #expect(next.sink.events.map(\.dataText) == (1...count).map { "Person:\($0)" })
        #expect(next.events.statistics.eventsPersisted == 500)
    }

    @Test("when nobody can say what is stored, everything waits for the next process")
    func failingLookUp() throws {
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.read(Self.person, 1)
        fixture.advance(milliseconds: 100)
        let blind = InMemoryEventSink()
        blind.failNextLookUps(with: [Unreadable()])

        let second = try withExtendedLifetime(scope) { try fixture.crash(sink: blind) }
        #expect(second.stored == [])
        #expect(second.log.messages(.error).count == 1)
        let third = try second.crash()

        #expect(third.stored == ["chart Person:1 interrupted"])
        #expect(fixture.journals.count == 0)
    }

    @Test("deletions are noted while a scope is stored that may be in a journal, and no longer")
    func noting() throws {
        let seen = Seen()
        let sink = InMemoryEventSink { _ in seen.append() }
        seen.sink = sink
        let fixture = try JournalFixture(sink: sink)
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.read(Self.person, 1)
        scope.commit()
        fixture.recorder.waitUntilIdle()

        #expect(seen.answers == [true])
        #expect(!sink.notesDeletions)
    }

    @Test("when the journal cannot be written, deletions are noted until it is gone")
    func failingNote() throws {
        let fixture = try JournalFixture()
        let open = fixture.events.beginScope(activity: "open")
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.read(Self.person, 1)
        fixture.advance(milliseconds: 100)
        fixture.recorder.queue.sync {
            scope.commit()
            // The ids are noted, what is stored cannot be, nor the end.
            fixture.journals.fail(next: .append, with: [nil, Unreadable(), Unreadable()])
        }
        fixture.recorder.waitUntilIdle()
        #expect(fixture.sink.notesDeletions)

        open.cancel()

        #expect(!fixture.sink.notesDeletions)
        #expect(fixture.journals.count == 0)
    }
}

/// Whether a sink noted deletions at each append.
private final class Seen: @unchecked Sendable {
    // SAFETY: the test sets the sink before there is an append, and reads the answers when the recorder is idle.
    var sink: InMemoryEventSink?
    private(set) var answers: [Bool] = []

    func append() { answers.append(sink?.notesDeletions ?? false) }
}
