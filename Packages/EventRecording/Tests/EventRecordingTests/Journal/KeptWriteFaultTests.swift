import EventModel
import EventModelTesting
import EventRecordingTesting
import Testing

@testable import EventRecording

@Suite("Writes that the realm's file cannot keep, or give back")
struct KeptWriteFaultTests {
    private let realm = RealmOfNotes()

    @Test("as long as the journal cannot be synced, the realm's file keeps what was written; that is reported")
    func notMoved() throws {
        let fixture = try realm.open()
        let scope = fixture.events.beginScope(activity: "chart")
        // The first one is that of the journal that the notes name.
        fixture.store.write(RealmOfNotes.person, modifying: [1])
        fixture.journals.fail(next: .synchronize, with: (0..<10_000).map { _ in RealmOfNotes.DiskFull() })
        for key in 2...1000 {
            fixture.store.write(RealmOfNotes.person, modifying: [Int64(key)], version: UInt64(key))
            if key.isMultiple(of: 50) { fixture.recorder.waitUntilIdle() }
        }
        #expect(realm.notes.notes.count == 1000)
        #expect(fixture.log.messages(.error).count == 1)

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        #expect(next.stored == (1...1000).map { "chart Person m\($0) interrupted" })
    }

    @Test("a note that is damaged is reported and in the ledger, and costs nothing else")
    func damaged() throws {
        let (fixture, scope) = try realm.writtenScope()
        let stream = try #require(realm.notes.notes.first?.stream)
        realm.notes.place([1, 2, 3], of: stream)

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        #expect(next.stored == ["chart Person m1 interrupted"])
        #expect(next.sink.losses.map(\.reason) == [.damaged])
        #expect(next.log.messages(.error).count == 1)
    }

    @Test("notes that cannot be read keep everything for the next process")
    func unreadable() throws {
        let (fixture, scope) = try realm.writtenScope()
        realm.notes.failNextReadings(with: [RealmOfNotes.DiskFull()])

        let second = try withExtendedLifetime(scope) { try fixture.crash() }
        #expect(second.stored == [])
        #expect(second.log.messages(.error).count == 1)
        let third = try second.crash(firstId: 900_000)

        #expect(third.stored == ["chart Person m1 interrupted"])
    }

    @Test("without a journal for the notes, writes are captured as before; that is reported once and tried again")
    func failingRoot() throws {
        let fixture = try realm.open()
        fixture.journals.fail(next: .synchronize, with: [RealmOfNotes.DiskFull(), RealmOfNotes.DiskFull()])
        let scope = fixture.events.beginScope(activity: "chart")
        for key in 1...3 { fixture.store.write(RealmOfNotes.person, modifying: [Int64(key)]) }
        fixture.recorder.waitUntilIdle()

        #expect(fixture.log.messages(.error).count == 1)
        #expect(realm.notes.notes.count == 1)
        scope.commit()
        fixture.recorder.waitUntilIdle()
        #expect(fixture.stored == (1...3).map { "chart Person m\($0)" })
    }

    @Test("a write that the file could not keep is captured as before, which is reported")
    func notKept() throws {
        let fixture = try realm.open()
        let scope = fixture.events.beginScope(activity: "chart")
        let change = ClassChanges(
            shape: RealmOfNotes.person.shape,
            insertions: [RealmOfNotes.person.snapshot(1, version: 2)]
        )
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
        let rows = (1...100).map { RealmOfNotes.person.snapshot(Int64($0), version: 2) }
        let changes = CommitChanges(
            versionBefore: 1,
            versionAfter: 2,
            classes: [ClassChanges(shape: RealmOfNotes.person.shape, insertions: rows)]
        )
        func note(_ maximumBytes: Int) throws -> WriteNote {
            try WriteNoting(realm.notes, of: address, maximumBytes: maximumBytes)
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
}
