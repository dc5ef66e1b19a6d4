import EventModel
import EventModelTesting
import EventRecordingTesting
import Testing

@testable import EventRecording

@Suite("Places in sync that outlive their process")
struct JournaledPlaceTests {
    private static let person = SampleClass("Person")

    private static func place(_ version: UInt64) -> SyncReference {
        SyncReference(
            file: SyncReference.File(history: Array(repeating: 5, count: 16), number: 2),
            position: Int(version) * 10,
            change: Int(version),
            changeCount: 1
        )
    }

    @Test("what was journalled of an open scope is recovered with its places, however long after the scope began")
    func recovered() throws {
        let fixture = try JournalFixture(place: Self.place)
        let store = fixture.store.instance()
        let scope = fixture.events.beginScope(activity: "chart")
        for version in 1...UInt64(100) {
            store.read(Self.person, 1, version: version)
            store.read(Self.person, 2, version: version)
            fixture.advance(milliseconds: 200)
        }

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        let expected = (1...UInt64(100)).flatMap { [Self.place($0), Self.place($0)] }
        #expect(next.sink.events.map(\.sync) == expected)
        #expect(next.sink.events.allSatisfy { $0.marks == .interrupted })
    }

    @Test("an instance that stays at its version while another one goes through hundreds has its place in the end, too")
    func staying() throws {
        let fixture = try JournalFixture(place: Self.place)
        let (staying, moving) = (fixture.store.instance(), fixture.store.instance())
        let scope = fixture.events.beginScope(activity: "chart")
        staying.read(Self.person, 1, version: 1)
        for version in 2...UInt64(500) { moving.read(Self.person, 1, version: version) }
        staying.read(Self.person, 2, version: 1)
        scope.commit()
        fixture.recorder.waitUntilIdle()

        #expect(fixture.sink.events.count == 501)
        #expect(fixture.sink.events.allSatisfy { $0.sync != nil })
        #expect(fixture.sink.events.last?.sync == Self.place(1))
    }

    @Test("as many versions are known as may be, those that were named last")
    func known() {
        var places = KnownPlaces(capacity: 3)
        for version in [1, 2, 3, 1, 4] as [UInt64] {
            places.note(PlacedVersion(version: version, place: Self.place(version)))
        }
        #expect(places.versions.map(\.version) == [2, 3, 4])
        #expect(places[1] == nil && places[4] == Self.place(4))

        let news = (0..<2).map { _ in places.note(PlacedVersion(version: 2, place: Self.place(9))) }
        #expect(news == [true, false])
        #expect(places.versions.map(\.version) == [3, 4, 2])
        #expect(places[2] == Self.place(9))
    }

    @Test("a write that only the realm's file kept is recovered with the changes that it became")
    func keptWrite() throws {
        let notes = InMemoryCommitNotes()
        let fixture = try JournalFixture(notes: notes, place: Self.place)
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.write(Self.person, modifying: [1])
        #expect(notes.notes.map(\.bytes.first) == [WriteNoteWriter.version])

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        #expect(next.sink.events.map(\.event) == ["write"])
        #expect(next.sink.events.map(\.sync) == [Self.place(2)])
    }

    @Test("a realm that does not sync keeps notes of the version that earlier programs read")
    func plainNotes() throws {
        let notes = InMemoryCommitNotes()
        let fixture = try JournalFixture(notes: notes)
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.write(Self.person, modifying: [1])

        #expect(notes.notes.map(\.bytes.first) == [1])
        let next = try withExtendedLifetime(scope) { try fixture.crash() }
        #expect(next.sink.events.map(\.sync) == [nil])
    }

    @Test("journals of the version before are read, and those of a later one refused with a sentence")
    func versions() throws {
        var block = JournalStart(session: ObjectId(high: 1, low: 2), part: 0, boot: Boot(high: 3, low: 4)).block
        #expect(block[1] == 2)
        block[1] = 1
        #expect(try JournalStart(firstBlock: block).session == ObjectId(high: 1, low: 2))
        for version in [0, 3] as [UInt8] {
            block[1] = version
            #expect(throws: RecordingError.self) { try JournalStart(firstBlock: block) }
        }
    }
}
