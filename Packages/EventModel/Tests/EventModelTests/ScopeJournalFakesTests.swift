import EventModel
import EventModelTesting
import Synchronization
import Testing

@Suite("Fakes of journal and timer")
struct ScopeJournalFakesTests {
    @Test("journals in memory keep the rules of a store of journals")
    func conformance() {
        let kit = ScopeJournalConformance { InMemoryScopeJournals() }

        #expect(kit.brokenRules() == [])
    }

    @Test("after the end of the process a journal is left behind, and the old owner cannot use it")
    func endOfProcess() throws {
        let journals = InMemoryScopeJournals()
        let journal = try journals.begin()
        _ = try journal.append([1])

        journals.endProcess()

        #expect(throws: InMemoryScopeJournals.BlockIsGone.self) { try journal.append([2]) }
        let found = try #require(try journals.leftBehind().first)
        #expect(try found.blocks().map(found.read) == [[1]])
    }

    @Test("calls fail as often as a test asks for")
    func failures() throws {
        let journals = InMemoryScopeJournals()
        journals.fail(next: .begin, with: [InMemoryScopeJournals.BlockIsGone()])

        #expect(throws: InMemoryScopeJournals.BlockIsGone.self) { try journals.begin() }
        _ = try journals.begin()
        #expect(journals.callCount(.begin) == 2)
    }

    @Test("a manual timer calls what is due, in order of its time")
    func manualTimer() {
        let timer = ManualTimer()
        let calls = Mutex<[String]>([])
        timer.schedule(afterNanoseconds: 20) { calls.withLock { $0.append("later") } }
        timer.schedule(afterNanoseconds: 10) {
            calls.withLock { $0.append("sooner") }
            timer.schedule(afterNanoseconds: 5) { calls.withLock { $0.append("again") } }
        }

        timer.advance(nanoseconds: 9)
        #expect(calls.withLock(\.self) == [])
        timer.advance(nanoseconds: 6)
        #expect(calls.withLock(\.self) == ["sooner", "again"])
        timer.advance(nanoseconds: 5)
        #expect(calls.withLock(\.self) == ["sooner", "again", "later"])
        #expect(timer.waitingCount == 0)
    }

    @Test("the system's timer calls back")
    func systemTimer() async {
        await withCheckedContinuation { continuation in
            SystemTimer().schedule(afterNanoseconds: 1) { continuation.resume() }
        }
    }
}
