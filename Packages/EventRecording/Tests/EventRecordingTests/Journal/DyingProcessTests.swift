import EventModel
import EventModelTesting
import EventRecordingTesting
import Testing

@testable import EventRecording

@Suite("Recovery while a process dies")
struct DyingProcessTests {
    private static let person = SampleClass("Person")

    private static let scan = ClassShape(
        name: "Scan",
        properties: [PropertyShape(name: "id", kind: .int), PropertyShape(name: "pixels", kind: .data)]
    )

    private let journals = InMemoryScopeJournals()
    private let notes = InMemoryCommitNotes()

    private func open(firstId: UInt32) throws -> JournalFixture {
        try JournalFixture(journals, firstId: firstId, notes: notes)
    }

    @Test("a write of a process that dies while another one looks for what it left is an event, once")
    func lateWrite() throws {
        let first = try open(firstId: 1000)
        let scope = first.events.beginScope(activity: "chart")
        let (store, journals, notes) = (first.store, journals, notes)
        journals.beforeNextLook {
            store.write(Self.person, modifying: [1])
            journals.endProcess()
            notes.endProcess()
        }

        let second = try open(firstId: 500_000)
        notes.commit(nil)
        let third = try second.crash(firstId: 900_000)

        #expect(second.stored + third.stored == ["chart Person m1 interrupted"])
        #expect(notes.notes == [])
        withExtendedLifetime(scope) {}
    }

    /// A row after which the journal begins another part.
    private static func largeRow() -> ObjectSnapshot {
        var writer = SnapshotWriter(shape: scan, chunkByteCount: JournalLog.partBytes + 200)
        writer.begin(key: 1, version: 1, whole: true)
        writer.set(0, int: 1)
        [UInt8](repeating: 7, count: JournalLog.partBytes).withUnsafeBytes { writer.setBytes(1, $0) }
        return writer.finish()
    }

    /// A process with two parts of captures and a root, that has stored one scope of each part and has another one open.
    private func session() throws -> (JournalFixture, Events.Scope) {
        let fixture = try open(firstId: 1000)
        let long = fixture.events.beginScope(activity: "long")
        for key in 1...2 as ClosedRange<Int64> {
            let short = fixture.events.beginScope(activity: "short")
            fixture.store.read(Self.person, key)
            fixture.store.write(Self.person, modifying: [key])
            fixture.advance(milliseconds: 200)
            short.commit()
            fixture.recorder.waitUntilIdle()
            if key == 1 { fixture.store.read(Self.largeRow()) }
            fixture.advance(milliseconds: 200)
        }
        return (fixture, long)
    }

    @Test(
        "what a dying process has not given back wholly waits until it has, and is stored once",
        arguments: [[0], [1], [2], [0, 1], [0, 2], [1, 2]] as [Set<Int>]
    )
    func heldParts(_ held: Set<Int>) throws {
        let (first, long) = try session()
        try #require(journals.count == 3)
        let expected = try {
            // What is recovered of a process that is dead.
            let (other, scope) = try DyingProcessTests().session()
            return try withExtendedLifetime(scope) { try other.crash() }.stored
        }()
        first.settle()
        journals.endProcess(holding: held)
        notes.endProcess()

        let second = try open(firstId: 500_000)
        #expect(second.stored == [])
        #expect(journals.count == 3)
        second.advance(milliseconds: 1000)
        second.recorder.waitUntilIdle()
        #expect(second.stored == [])
        journals.giveBack()
        second.advance(milliseconds: 1000)
        second.recorder.waitUntilIdle()

        #expect(second.stored == expected)
        #expect(expected.count == 5)
        #expect(journals.count == 0)
        #expect(second.log.messages(.error) == [])
        withExtendedLifetime(long) {}
    }
}
