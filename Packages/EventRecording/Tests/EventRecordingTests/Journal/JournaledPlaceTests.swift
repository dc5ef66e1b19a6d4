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
        for version in 1...UInt64(ScopeCombiner.maximumPlaces * 2) {
            store.read(Self.person, 1, version: version)
            store.read(Self.person, 2, version: version)
            fixture.advance(milliseconds: 200)
        }

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        let expected = (1...UInt64(ScopeCombiner.maximumPlaces * 2)).flatMap { [Self.place($0), Self.place($0)] }
        #expect(next.sink.events.map(\.sync) == expected)
        #expect(next.sink.events.allSatisfy { $0.marks == .interrupted })
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
