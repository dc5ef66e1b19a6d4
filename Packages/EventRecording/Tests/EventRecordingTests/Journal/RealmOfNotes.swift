import EventModel
import EventModelTesting
import EventRecordingTesting

@testable import EventRecording

/// A realm whose file keeps notes of writes, across the processes of a test.
struct RealmOfNotes {
    struct DiskFull: Error {}

    static let person = SampleClass("Person")
    static let visit = SampleClass("Visit")

    let notes = InMemoryCommitNotes()

    var keptBytes: Int { notes.notes.reduce(0) { $0 + $1.bytes.count } }

    /// Begins a process that records.
    func open(_ journals: InMemoryScopeJournals = InMemoryScopeJournals()) throws -> JournalFixture {
        try JournalFixture(journals, notes: notes)
    }

    /// Begins a scope and writes in it, without anything being journalled.
    func writtenScope(_ activity: String = "chart") throws -> (JournalFixture, Events.Scope) {
        let fixture = try open()
        let scope = fixture.events.beginScope(activity: activity)
        fixture.store.write(Self.person, modifying: [1])
        return (fixture, scope)
    }
}
