import EventModel
import EventModelTesting
import EventRecordingTesting
import Testing

@testable import EventRecording

@Suite("Which process and realm the writes belong to that a file keeps")
struct KeptWriteOwnerTests {
    private let realm = RealmOfNotes()

    @Test("a realm of another file leaves the session alone, and the realm itself recovers it")
    func otherRealm() throws {
        let (fixture, scope) = try realm.writtenScope()
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
        let (fixture, scope) = try realm.writtenScope()
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
        realm.notes.place(head + [1, 2, 3], of: ObjectId(high: 5, low: 5))
        realm.notes.place(foreign + [1, 2, 3], of: ObjectId(high: 6, low: 6))
        realm.notes.place([7], of: ObjectId(high: 7, low: 7))

        let fixture = try realm.open(journals)
        realm.notes.commit(nil)

        #expect(realm.notes.notes.map(\.stream) == [ObjectId(high: 6, low: 6), ObjectId(high: 7, low: 7)])
        #expect(fixture.log.messages(.error) == [])
    }

    @Test("the notes of a living process are not touched")
    func livingNeighbour() throws {
        let (fixture, scope) = try realm.writtenScope()

        let neighbour = try JournalFixture(fixture.journals, firstId: 700_000, notes: realm.notes)
        realm.notes.commit(nil)

        #expect(neighbour.stored == [])
        #expect(realm.notes.notes.count == 1)
        withExtendedLifetime(scope) {}
    }

    @Test("a recorder that ends in peace leaves no journal, and the next one lets its notes go")
    func peacefulEnd() throws {
        let journals = InMemoryScopeJournals()
        do {
            let fixture = try realm.open(journals)
            let scope = fixture.events.beginScope(activity: "chart")
            fixture.store.write(RealmOfNotes.person, modifying: [1])
            #expect(journals.count == 1)
            scope.commit()
            fixture.recorder.waitUntilIdle()
            // The timer holds the recorder until its time has come.
            fixture.advance(milliseconds: 1000)
        }

        #expect(journals.count == 0)
        #expect(realm.notes.notes.count == 1)
        let next = try realm.open(journals)
        realm.notes.commit(nil)
        #expect(next.stored == [])
        #expect(realm.notes.notes == [])
    }
}
