import EventModel
import EventModelTesting
import EventRecordingTesting
import Testing

@testable import EventRecording

@Suite("The journal of reads that go through rings")
struct RingJournalTests {
    private static let person = SampleClass("Person")

    @Test("a read is journalled as early as one without a ring, also after a while in which nothing was read")
    func onTime() throws {
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "chart")
        let instance = fixture.store.instance()

        for key in 0..<Int64(5) { instance.read(Self.person, key) }
        fixture.advance(milliseconds: 100)
        fixture.advance(milliseconds: 500)
        for key in 5..<Int64(8) { instance.read(Self.person, key) }
        fixture.advance(milliseconds: 100)
        let next = try fixture.crash()

        #expect(next.stored == (0..<8).map { "chart Person:\($0) interrupted" })
        scope.cancel()
    }

    @Test("what is read, shown by a query and written in turn is stored in turn")
    func inTurn() throws {
        let fixture = try JournalFixture(notes: InMemoryCommitNotes())
        let scope = fixture.events.beginScope(activity: "chart")
        let instance = fixture.store.instance()

        for key in 0..<Int64(3) { instance.read(Self.person, key) }
        instance.write(Self.person, modifying: [9])
        for key in 3..<Int64(6) { instance.read(Self.person, key) }
        instance.query(Self.person, [7, 8], version: 2)
        scope.commit()
        fixture.recorder.waitUntilIdle()

        let keys = fixture.sink.events.map { $0.dataText ?? "" }
        #expect(keys.count == 8)
        #expect(keys.firstIndex(of: "Person:2") == 2)
        #expect(keys.firstIndex(of: "Person:3") == 4)
        #expect(keys.last == "Person:7,8")
    }

    @Test("nothing of a cancelled scope stays in a ring for the next one")
    func cancelled() throws {
        let fixture = try JournalFixture()
        let instance = fixture.store.instance()
        let first = fixture.events.beginScope(activity: "first")
        for key in 0..<Int64(5) { instance.read(Self.person, key) }
        first.cancel()

        let second = fixture.events.beginScope(activity: "second")
        instance.read(Self.person, 7)
        second.commit()
        fixture.recorder.waitUntilIdle()

        #expect(fixture.stored == ["second Person:7"])
    }
}
