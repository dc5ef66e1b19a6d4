import EventModel
import EventModelTesting
import EventRecordingTesting
import Testing

@testable import EventRecording

@Suite("Writes of open scopes that the realm's file keeps")
struct KeptWriteTests {
    private let realm = RealmOfNotes()

    @Test("a write whose process ends right after its transaction is an event of the next one, once")
    func lost() throws {
        let (fixture, scope) = try realm.writtenScope()

        let next = try withExtendedLifetime(scope) { try fixture.crash() }
        let third = try next.crash(firstId: 900_000)

        #expect(next.stored == ["chart Person m1 interrupted"])
        #expect(next.log.messages(.error) == [])
        #expect(third.stored == [])
        #expect(fixture.journals.count == 0)
        realm.notes.commit(nil)
        #expect(realm.notes.notes == [])
    }

    @Test("a write of several scopes is an event of each, with the ids that the file names")
    func severalScopes() throws {
        let fixture = try realm.open()
        try fixture.events.replaceMetadata(["user": "nurse"])
        let scopes = ["a", "b"].map { fixture.events.beginScope(activity: $0) }
        fixture.store.write(RealmOfNotes.person, modifying: [1])
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
        let (fixture, scope) = try realm.writtenScope()
        #expect(realm.notes.notes.count == 1)
        scope.commit()
        fixture.recorder.waitUntilIdle()
        #expect(realm.notes.notes.count == 1)

        realm.notes.commit(nil)

        #expect(realm.notes.notes == [])
        #expect(try fixture.crash().stored == [])
    }

    @Test("notes stay as long as a scope needs them that was active when they were made")
    func oldestScope() throws {
        let fixture = try realm.open()
        let long = fixture.events.beginScope(activity: "long")
        for key in 1...3 {
            let short = fixture.events.beginScope(activity: "short")
            fixture.store.write(RealmOfNotes.person, modifying: [Int64(key)])
            short.commit()
            fixture.recorder.waitUntilIdle()
        }
        realm.notes.commit(nil)
        #expect(realm.notes.notes.count == 3)

        let next = try withExtendedLifetime(long) { try fixture.crash() }

        #expect(fixture.stored == ["short Person m1", "short Person m2", "short Person m3"])
        #expect(next.stored == (1...3).map { "long Person m\($0) interrupted" })
    }

    @Test("what a scope writes for long moves to the journal, so that the realm's file does not grow with it")
    func moved() throws {
        let fixture = try realm.open()
        let scope = fixture.events.beginScope(activity: "chart")
        var most = 0
        for key in 1...3000 {
            fixture.store.write(RealmOfNotes.person, modifying: [Int64(key)], version: UInt64(key))
            if key.isMultiple(of: 50) { fixture.recorder.waitUntilIdle() }
            most = max(most, realm.keptBytes)
        }
        #expect(most > NoteProgress.maximumBytes)
        // As many may come before the next transaction removes them.
        #expect(most < NoteProgress.maximumBytes * 5 / 2)

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        #expect(next.stored == (1...3000).map { "chart Person m\($0) interrupted" })
        #expect(Set(next.sink.events.map(\.id)).count == 3000)
    }

    @Test("a cancelled scope leaves nothing, although the file still has the note")
    func cancelled() throws {
        let (fixture, scope) = try realm.writtenScope()
        let other = fixture.events.beginScope(activity: "other")
        fixture.store.write(RealmOfNotes.person, modifying: [2])

        scope.cancel()
        let next = try withExtendedLifetime(other) { try fixture.crash() }

        #expect(realm.notes.notes.count == 2)
        #expect(next.stored == ["other Person m2 interrupted"])
    }

    @Test("a dropped scope leaves nothing either")
    func abandoned() throws {
        let fixture = try realm.open()
        do {
            let scope = fixture.events.beginScope(activity: "dropped")
            fixture.store.write(RealmOfNotes.person, modifying: [1])
            withExtendedLifetime(scope) {}
        }

        #expect(try fixture.crash().stored == [])
    }

    @Test("a committed scope of which the file has all is recovered as committed")
    func committed() throws {
        let journals = InMemoryScopeJournals()
        // The process ends when the journal knows of the commit, and before anything is stored.
        let ending = InMemoryEventSink { _ in journals.endProcess() }
        ending.failNextAppends(with: [RealmOfNotes.DiskFull(), RealmOfNotes.DiskFull()])
        let fixture = try JournalFixture(journals, sink: ending, notes: realm.notes)
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.write(RealmOfNotes.person, modifying: [1])
        scope.commit()
        fixture.recorder.waitUntilIdle()

        let next = try fixture.crash()

        #expect(next.stored == ["chart Person m1"])
        #expect(next.sink.events.first?.scopeCommitted == EventInstant(microseconds: 1_700_000_000_000_000))
    }

    @Test("reads and writes are recovered in the order in which they happened, those in both places once")
    func order() throws {
        let fixture = try realm.open()
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.read(RealmOfNotes.person, 1)
        fixture.store.write(RealmOfNotes.person, modifying: [2])
        fixture.store.read(RealmOfNotes.visit, 3)
        fixture.advance(milliseconds: 100)
        fixture.store.write(RealmOfNotes.person, modifying: [4], version: 2)

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        let expected = ["Person:1", "Person m2", "Visit:3", "Person m4"].map { "chart \($0) interrupted" }
        #expect(next.stored == expected)
    }

    @Test("with the policy discard, the writes of open scopes leave nothing but an entry in the ledger")
    func discard() throws {
        let (fixture, scope) = try realm.writtenScope()

        let next = try withExtendedLifetime(scope) { try fixture.crash(policy: .discard) }

        #expect(next.stored == [])
        #expect(next.sink.losses.map(\.reason) == [.interrupted])
        #expect(fixture.journals.count == 0)
    }

    @Test("what a process has stored whose note is still there is not stored again")
    func storedBeforeTheEnd() throws {
        let journals = InMemoryScopeJournals()
        let sink = InMemoryEventSink { _ in journals.endProcess() }
        let fixture = try JournalFixture(journals, sink: sink, notes: realm.notes)
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.read(RealmOfNotes.visit, 1)
        fixture.store.write(RealmOfNotes.person, modifying: [1])
        scope.commit()
        fixture.recorder.waitUntilIdle()

        let next = try fixture.crash(sink: sink)

        #expect(next.stored == ["chart Visit:1", "chart Person m1"])
        #expect(journals.count == 0)
    }

    @Test("a scope that begins while a transaction is committed does not have it, one that was active does")
    func scopeDuringCommit() throws {
        let fixture = try realm.open()
        let scope = fixture.events.beginScope(activity: "before")
        let change = ClassChanges(
            shape: RealmOfNotes.person.shape,
            insertions: [RealmOfNotes.person.snapshot(1, version: 2)]
        )
        let changes = CommitChanges(versionBefore: 1, versionAfter: 2, classes: [change])
        let note = try #require(fixture.recorder.note(for: changes))

        let late = fixture.events.beginScope(activity: "late")
        fixture.recorder.didCommit(changes, note: realm.notes.commit(note))
        for scope in [late, scope] { scope.commit() }
        fixture.recorder.waitUntilIdle()

        #expect(fixture.stored == ["before Person i1"])
    }

    @Test("the journal of the notes begins anew now and then, so that it does not grow for ever")
    func newRoot() throws {
        let fixture = try realm.open()
        var streams: Set<ObjectId> = []
        var largest = 0
        for _ in 0..<4000 {
            let scope = fixture.events.beginScope(activity: String(repeating: "long name ", count: 10))
            fixture.store.write(RealmOfNotes.person, modifying: [1])
            scope.commit()
            fixture.recorder.waitUntilIdle()
            if let stream = realm.notes.notes.last?.stream { streams.insert(stream) }
            largest = max(largest, fixture.journals.readableBytes.reduce(0) { $0 + $1.count })
        }

        #expect((2...6).contains(streams.count))
        #expect(largest < 2 * JournalLog.rootBytes)
        #expect(fixture.journals.count == 1)
        #expect(fixture.sink.events.count == 4000)
        #expect(Set(fixture.sink.events.map(\.id)).count == 4000)
    }
}
