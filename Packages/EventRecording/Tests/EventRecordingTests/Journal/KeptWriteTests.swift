import EventModel
import EventModelTesting
import EventRecordingTesting
import Testing

@testable import EventRecording

@Suite("Writes of open scopes that the realm's file keeps")
struct KeptWriteTests {
    private struct DiskFull: Error {}

    private static let person = SampleClass("Person")
    private static let visit = SampleClass("Visit")

    private let notes = InMemoryCommitNotes()

    private func open(_ journals: InMemoryScopeJournals = InMemoryScopeJournals()) throws -> JournalFixture {
        try JournalFixture(journals, notes: notes)
    }

    /// Begins a scope and writes in it, without anything being journalled.
    private func writtenScope(_ activity: String = "chart") throws -> (JournalFixture, Events.Scope) {
        let fixture = try open()
        let scope = fixture.events.beginScope(activity: activity)
        fixture.store.write(Self.person, modifying: [1])
        return (fixture, scope)
    }

    @Test("a write whose process ends right after its transaction is an event of the next one, once")
    func lost() throws {
        let (fixture, scope) = try writtenScope()

        let next = try withExtendedLifetime(scope) { try fixture.crash() }
        let third = try next.crash(firstId: 900_000)

        #expect(next.stored == ["chart Person m1 interrupted"])
        #expect(next.log.messages(.error) == [])
        #expect(third.stored == [])
        #expect(fixture.journals.count == 0)
        notes.commit(nil)
        #expect(notes.notes == [])
    }

    @Test("a write of several scopes is an event of each, with the ids that the file names")
    func severalScopes() throws {
        let fixture = try open()
        try fixture.events.replaceMetadata(["user": "nurse"])
        let scopes = ["a", "b"].map { fixture.events.beginScope(activity: $0) }
        fixture.store.write(Self.person, modifying: [1])
        let later = fixture.events.beginScope(activity: "later")
        scopes[0].commit()
        fixture.recorder.waitUntilIdle()

        let next = try withExtendedLifetime((scopes, later)) { try fixture.crash() }

        #expect(fixture.stored == ["a Person m1"])
        #expect(next.stored == ["b Person m1 interrupted"])
        let ids = (fixture.sink.events + next.sink.events).map(\.id)
        #expect(ids == [ids[0], ids[0].following(1)])
        #expect(next.sink.events.first?.metadata.dictionary == ["user": "nurse"])
        #expect(next.sink.events.first?.clock == fixture.sink.events.first?.clock)
    }

    @Test("when the events are stored, the notes go with the next transaction")
    func released() throws {
        let (fixture, scope) = try writtenScope()
        #expect(notes.notes.count == 1)
        scope.commit()
        fixture.recorder.waitUntilIdle()
        #expect(notes.notes.count == 1)

        notes.commit(nil)

        #expect(notes.notes == [])
        #expect(try fixture.crash().stored == [])
    }

    @Test("notes stay as long as a scope needs them that was active when they were made")
    func oldestScope() throws {
        let fixture = try open()
        let long = fixture.events.beginScope(activity: "long")
        for key in 1...3 {
            let short = fixture.events.beginScope(activity: "short")
            fixture.store.write(Self.person, modifying: [Int64(key)])
            short.commit()
            fixture.recorder.waitUntilIdle()
        }
        notes.commit(nil)
        #expect(notes.notes.count == 3)

        let next = try withExtendedLifetime(long) { try fixture.crash() }

        #expect(fixture.stored == ["short Person m1", "short Person m2", "short Person m3"])
        #expect(next.stored == (1...3).map { "long Person m\($0) interrupted" })
    }

    private var keptBytes: Int { notes.notes.reduce(0) { $0 + $1.bytes.count } }

    @Test("what a scope writes for long moves to the journal, so that the realm's file does not grow with it")
    func moved() throws {
        let fixture = try open()
        let scope = fixture.events.beginScope(activity: "chart")
        var most = 0
        for key in 1...3000 {
            fixture.store.write(Self.person, modifying: [Int64(key)], version: UInt64(key))
            if key.isMultiple(of: 50) { fixture.recorder.waitUntilIdle() }
            most = max(most, keptBytes)
        }
        #expect(most > NoteProgress.maximumBytes)
        // As many may come before the next transaction removes them.
        #expect(most < NoteProgress.maximumBytes * 5 / 2)

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        #expect(next.stored == (1...3000).map { "chart Person m\($0) interrupted" })
        #expect(Set(next.sink.events.map(\.id)).count == 3000)
    }

    @Test("as long as the journal cannot be synced, the realm's file keeps what was written; that is reported")
    func notMoved() throws {
        let fixture = try open()
        let scope = fixture.events.beginScope(activity: "chart")
        // The first one is that of the journal that the notes name.
        fixture.store.write(Self.person, modifying: [1])
        fixture.journals.fail(next: .synchronize, with: (0..<10_000).map { _ in DiskFull() })
        for key in 2...1000 {
            fixture.store.write(Self.person, modifying: [Int64(key)], version: UInt64(key))
            if key.isMultiple(of: 50) { fixture.recorder.waitUntilIdle() }
        }
        #expect(notes.notes.count == 1000)
        #expect(fixture.log.messages(.error).count == 1)

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        #expect(next.stored == (1...1000).map { "chart Person m\($0) interrupted" })
    }

    @Test("a cancelled scope leaves nothing, although the file still has the note")
    func cancelled() throws {
        let (fixture, scope) = try writtenScope()
        let other = fixture.events.beginScope(activity: "other")
        fixture.store.write(Self.person, modifying: [2])

        scope.cancel()
        let next = try withExtendedLifetime(other) { try fixture.crash() }

        #expect(notes.notes.count == 2)
        #expect(next.stored == ["other Person m2 interrupted"])
    }

    @Test("a dropped scope leaves nothing either")
    func abandoned() throws {
        let fixture = try open()
        do {
            let scope = fixture.events.beginScope(activity: "dropped")
            fixture.store.write(Self.person, modifying: [1])
            withExtendedLifetime(scope) {}
        }

        #expect(try fixture.crash().stored == [])
    }

    @Test("a committed scope of which the file has all is recovered as committed")
    func committed() throws {
        let journals = InMemoryScopeJournals()
        // The process ends when the journal knows of the commit, and before anything is stored.
        let ending = InMemoryEventSink { _ in journals.endProcess() }
        ending.failNextAppends(with: [DiskFull(), DiskFull()])
        let fixture = try JournalFixture(journals, sink: ending, notes: notes)
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.write(Self.person, modifying: [1])
        scope.commit()
        fixture.recorder.waitUntilIdle()

        let next = try fixture.crash()

        #expect(next.stored == ["chart Person m1"])
        #expect(next.sink.events.first?.scopeCommitted == EventInstant(microseconds: 1_700_000_000_000_000))
    }

    @Test("reads and writes are recovered in the order in which they happened, those in both places once")
    func order() throws {
        let fixture = try open()
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.read(Self.person, 1)
        fixture.store.write(Self.person, modifying: [2])
        fixture.store.read(Self.visit, 3)
        fixture.advance(milliseconds: 100)
        fixture.store.write(Self.person, modifying: [4], version: 2)

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        let expected = ["Person:1", "Person m2", "Visit:3", "Person m4"].map { "chart \($0) interrupted" }
        #expect(next.stored == expected)
    }

    @Test("with the policy discard, the writes of open scopes leave nothing but an entry in the ledger")
    func discard() throws {
        let (fixture, scope) = try writtenScope()

        let next = try withExtendedLifetime(scope) { try fixture.crash(policy: .discard) }

        #expect(next.stored == [])
        #expect(next.sink.losses.map(\.reason) == [.interrupted])
        #expect(fixture.journals.count == 0)
    }

    @Test("what a process has stored whose note is still there is not stored again")
    func storedBeforeTheEnd() throws {
        let journals = InMemoryScopeJournals()
        let sink = InMemoryEventSink { _ in journals.endProcess() }
        let fixture = try JournalFixture(journals, sink: sink, notes: notes)
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.read(Self.visit, 1)
        fixture.store.write(Self.person, modifying: [1])
        scope.commit()
        fixture.recorder.waitUntilIdle()

        let next = try fixture.crash(sink: sink)

        #expect(next.stored == ["chart Visit:1", "chart Person m1"])
        #expect(journals.count == 0)
    }

    @Test("a realm of another file leaves the session alone, and the realm itself recovers it")
    func otherRealm() throws {
        let (fixture, scope) = try writtenScope()
        fixture.journals.endProcess()

        let other = try JournalFixture(
            fixture.journals,
            firstId: 700_000,
            realm: "/data/other.realm",
            notes: InMemoryCommitNotes()
        )
        #expect(other.stored == [])
        #expect(other.log.messages(.error) == [])
        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        #expect(next.stored == ["chart Person m1 interrupted"])
    }

    @Test("of a realm whose file is gone, any other one recovers what is in the journal")
    func deletedRealm() throws {
        let (fixture, scope) = try writtenScope()
        fixture.advance(milliseconds: 100)
        fixture.journals.endProcess()
        fixture.journals.deleteRealm(named: "/data/chart.realm")

        let other = try JournalFixture(
            fixture.journals,
            firstId: 700_000,
            realm: "/data/other.realm",
            notes: InMemoryCommitNotes()
        )

        #expect(withExtendedLifetime(scope) { other.stored } == ["chart Person m1 interrupted"])
        #expect(fixture.journals.count == 0)
    }

    @Test("notes that record into another place are left alone; of its own, those without a journal go")
    func strangers() throws {
        let journals = InMemoryScopeJournals()
        let head = WriteNoteWriter.head(place: journals.address(of: "/data/chart.realm").place)
        let foreign = WriteNoteWriter.head(place: "elsewhere")
        notes.place(head + [1, 2, 3], of: ObjectId(high: 5, low: 5))
        notes.place(foreign + [1, 2, 3], of: ObjectId(high: 6, low: 6))
        notes.place([7], of: ObjectId(high: 7, low: 7))

        let fixture = try open(journals)
        notes.commit(nil)

        #expect(notes.notes.map(\.stream) == [ObjectId(high: 6, low: 6), ObjectId(high: 7, low: 7)])
        #expect(fixture.log.messages(.error) == [])
    }

    @Test("the notes of a living process are not touched")
    func livingNeighbour() throws {
        let (fixture, scope) = try writtenScope()

        let neighbour = try JournalFixture(fixture.journals, firstId: 700_000, notes: notes)
        notes.commit(nil)

        #expect(neighbour.stored == [])
        #expect(notes.notes.count == 1)
        withExtendedLifetime(scope) {}
    }

    @Test("a note that is damaged is reported and in the ledger, and costs nothing else")
    func damaged() throws {
        let (fixture, scope) = try writtenScope()
        let stream = try #require(notes.notes.first?.stream)
        notes.place([1, 2, 3], of: stream)

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        #expect(next.stored == ["chart Person m1 interrupted"])
        #expect(next.sink.losses.map(\.reason) == [.damaged])
        #expect(next.log.messages(.error).count == 1)
    }

    @Test("notes that cannot be read keep everything for the next process")
    func unreadable() throws {
        let (fixture, scope) = try writtenScope()
        notes.failNextReadings(with: [DiskFull()])

        let second = try withExtendedLifetime(scope) { try fixture.crash() }
        #expect(second.stored == [])
        #expect(second.log.messages(.error).count == 1)
        let third = try second.crash(firstId: 900_000)

        #expect(third.stored == ["chart Person m1 interrupted"])
    }

    @Test("without a journal for the notes, writes are captured as before; that is reported once and tried again")
    func failingRoot() throws {
        let fixture = try open()
        fixture.journals.fail(next: .synchronize, with: [DiskFull(), DiskFull()])
        let scope = fixture.events.beginScope(activity: "chart")
        for key in 1...3 { fixture.store.write(Self.person, modifying: [Int64(key)]) }
        fixture.recorder.waitUntilIdle()

        #expect(fixture.log.messages(.error).count == 1)
        #expect(notes.notes.count == 1)
        scope.commit()
        fixture.recorder.waitUntilIdle()
        #expect(fixture.stored == (1...3).map { "chart Person m\($0)" })
    }

    @Test("a write that the file could not keep is captured as before, which is reported")
    func notKept() throws {
        let fixture = try open()
        let scope = fixture.events.beginScope(activity: "chart")
        let change = ClassChanges(shape: Self.person.shape, insertions: [Self.person.snapshot(1, version: 2)])
        let changes = CommitChanges(versionBefore: 1, versionAfter: 2, classes: [change])
        let note = try #require(fixture.recorder.note(for: changes))

        fixture.recorder.didCommit(changes, note: CommittedNote(note, key: nil))
        scope.commit()
        fixture.recorder.waitUntilIdle()

        #expect(fixture.stored == ["chart Person i1"])
        #expect(fixture.log.messages(.error).count == 1)
    }

    @Test("a write that would take more than a journal holds is not kept, which is an error with the remedy")
    func tooLarge() throws {
        let journals = InMemoryScopeJournals()
        let address = journals.address(of: "/data/chart.realm")
        let rows = (1...100).map { Self.person.snapshot(Int64($0), version: 2) }
        let changes = CommitChanges(
            versionBefore: 1,
            versionAfter: 2,
            classes: [ClassChanges(shape: Self.person.shape, insertions: rows)]
        )
        func note(_ maximumBytes: Int) throws -> WriteNote {
            try WriteNoting(notes, of: address, maximumBytes: maximumBytes)
                .note(
                    changes,
                    of: [],
                    at: 0,
                    firstEvent: ObjectId(high: 1, low: 1),
                    ManualClock().now(),
                    root: journals.begin()
                )
        }

        let size = try note(1 << 20).bytes.count

        #expect(try note(size).bytes.count == size)
        #expect(throws: RecordingError.self) { try note(size / 2) }
        #expect(RecordingError.writeNotKept.description.contains("in one transaction"))
    }

    @Test("a scope that begins while a transaction is committed does not have it, one that was active does")
    func scopeDuringCommit() throws {
        let fixture = try open()
        let scope = fixture.events.beginScope(activity: "before")
        let change = ClassChanges(shape: Self.person.shape, insertions: [Self.person.snapshot(1, version: 2)])
        let changes = CommitChanges(versionBefore: 1, versionAfter: 2, classes: [change])
        let note = try #require(fixture.recorder.note(for: changes))

        let late = fixture.events.beginScope(activity: "late")
        fixture.recorder.didCommit(changes, note: notes.commit(note))
        for scope in [late, scope] { scope.commit() }
        fixture.recorder.waitUntilIdle()

        #expect(fixture.stored == ["before Person i1"])
    }

    @Test("a recorder that ends in peace leaves no journal, and the next one lets its notes go")
    func peacefulEnd() throws {
        let journals = InMemoryScopeJournals()
        do {
            let fixture = try open(journals)
            let scope = fixture.events.beginScope(activity: "chart")
            fixture.store.write(Self.person, modifying: [1])
            #expect(journals.count == 1)
            scope.commit()
            fixture.recorder.waitUntilIdle()
            // The timer holds the recorder until its time has come.
            fixture.advance(milliseconds: 1000)
        }

        #expect(journals.count == 0)
        #expect(notes.notes.count == 1)
        let next = try open(journals)
        notes.commit(nil)
        #expect(next.stored == [])
        #expect(notes.notes == [])
    }

    @Test("the journal of the notes begins anew now and then, so that it does not grow for ever")
    func newRoot() throws {
        let fixture = try open()
        var streams: Set<ObjectId> = []
        var largest = 0
        for _ in 0..<4000 {
            let scope = fixture.events.beginScope(activity: String(repeating: "long name ", count: 10))
            fixture.store.write(Self.person, modifying: [1])
            scope.commit()
            fixture.recorder.waitUntilIdle()
            if let stream = notes.notes.last?.stream { streams.insert(stream) }
            largest = max(largest, fixture.journals.readableBytes.reduce(0) { $0 + $1.count })
        }

        #expect((2...6).contains(streams.count))
        #expect(largest < 2 * JournalLog.rootBytes)
        #expect(fixture.journals.count == 1)
        #expect(fixture.sink.events.count == 4000)
        #expect(Set(fixture.sink.events.map(\.id)).count == 4000)
    }
}
