import ChangeModel
import EventModel
import EventModelTesting
import Testing

@Suite("Hybrid clock")
struct HybridClockTests {
    @Test("a commit takes the wall clock where that is later")
    func wall() {
        let clock = HybridClock(milliseconds: 1000, counter: 7)

        #expect(clock.atCommit(wallMilliseconds: 1001) == HybridClock(milliseconds: 1001))
    }

    @Test("a wall clock that went back does not take the clock back", arguments: [Int64(1000), 999, 0, -5, .min])
    func back(wall: Int64) {
        let clock = HybridClock(milliseconds: 1000, counter: 7)

        #expect(clock.atCommit(wallMilliseconds: wall) == HybridClock(milliseconds: 1000, counter: 8))
    }

    @Test("the counter carries over into the milliseconds")
    func carry() {
        let clock = HybridClock(milliseconds: 1000, counter: .max)

        #expect(clock.next == HybridClock(milliseconds: 1001))
    }

    @Test("the last time of all has no next one, and nothing traps")
    func end() {
        let last = HybridClock(milliseconds: .max, counter: .max)

        #expect(last.next == last)
        #expect(last.bits == .max)
    }

    @Test("hearing of a change raises the clock and never lowers it")
    func hearing() {
        let early = HybridClock(milliseconds: 1)
        let late = HybridClock(milliseconds: 2)

        #expect(early.hearing(late) == late)
        #expect(late.hearing(early) == late)
    }

    @Test("a default is older than every write, and defaults are ordered among themselves")
    func defaults() {
        let write = Stamp(HybridClock(milliseconds: 1), file: 1, index: 0)
        let later = Stamp(HybridClock(milliseconds: 9), file: 2, index: 3)

        #expect(later.asDefault < write)
        #expect(write.asDefault < later.asDefault)
        #expect(Stamp.oldest < write.asDefault)
    }

    @Test("the higher file decides between equal times, and then the later operation")
    func ties() {
        let clock = HybridClock(milliseconds: 1)

        #expect(Stamp(clock, file: 1, index: 9) < Stamp(clock, file: 2, index: 0))
        #expect(Stamp(clock, file: 2, index: 0) < Stamp(clock, file: 2, index: 1))
    }
}
