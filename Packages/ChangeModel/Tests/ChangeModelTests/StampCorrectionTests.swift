import ChangeModel
import EventModel
import Testing

@Suite("Correction of stamps")
struct StampCorrectionTests {
    private static let boot = Boot(high: 0, low: 1)
    private static let now = ClockReading(
        wall: EventInstant(microseconds: 50_000_000_000),
        monotonicNanoseconds: 9_000_000_000,
        boot: boot
    )
    private let correction = StampCorrection(serverMilliseconds: 1_000_000, asked: now, answered: now)

    @Test("within a boot the monotonic age counts, whatever the wall clock said")
    func sameBoot() {
        let commit = ClockReading(
            wall: EventInstant(microseconds: 0),
            monotonicNanoseconds: 2_000_000_000,
            boot: Self.boot
        )

        #expect(correction.milliseconds(of: commit) == 1_000_000 - 7000)
    }

    @Test("from another boot the wall clock counts with the error that it has now")
    func otherBoot() {
        let commit = ClockReading(
            wall: EventInstant(microseconds: 49_999_000_000),
            monotonicNanoseconds: 1,
            boot: Boot(high: 0, low: 2)
        )

        #expect(correction.milliseconds(of: commit) == 1_000_000 - 1000)
    }

    @Test("a reading from later than now counts as now")
    func future() {
        let commit = ClockReading(wall: Self.now.wall, monotonicNanoseconds: .max, boot: Self.boot)

        #expect(correction.milliseconds(of: commit) == 1_000_000)
    }

    /// What the clocks show a number of milliseconds after a moment at which the server's one shows 1,000,000.
    private static func moment(_ milliseconds: Int64, error: Int64 = 0, boot: Boot = boot) -> ClockReading {
        ClockReading(
            wall: EventInstant(microseconds: (1_000_000 + milliseconds + error) * 1000),
            monotonicNanoseconds: UInt64(60_000 + milliseconds) * 1_000_000,
            boot: boot
        )
    }

    @Test(
        "a wall clock that may be right is left as it is, however long the trip was",
        arguments: [Int64(0), 4000, 8000]
    )
    func rightClock(sent: Int64) {
        // The server answered at some moment of a trip of eight seconds.
        let correction = StampCorrection(
            serverMilliseconds: 1_000_000 + sent,
            asked: Self.moment(0),
            answered: Self.moment(8000)
        )

        #expect(correction.milliseconds(of: Self.moment(-500)) == 1_000_000 - 500)
        #expect(correction.milliseconds(of: Self.moment(-500, boot: Boot(high: 0, low: 2))) == 1_000_000 - 500)
    }

    @Test("a wall clock that cannot be right is taken to be as near as it may be")
    func wrongClock() {
        func corrected(_ error: Int64) -> Int64 {
            StampCorrection(
                serverMilliseconds: 1_000_000,
                asked: Self.moment(0, error: error),
                answered: Self.moment(300, error: error)
            )
            .milliseconds(of: Self.moment(-500, error: error))
        }
        // It is between 1,000,000 and 1,000,300 when the answer arrives, 800 ms after the commit.
        #expect(corrected(3_600_000) == 1_000_300 - 800)
        #expect(corrected(-3_600_000) == 1_000_000 - 800)
    }

    @Test("no time that a server says is too large or small", arguments: [Int64.min, -1, 0, .max])
    func anyServerTime(milliseconds: Int64) {
        let correction = StampCorrection(
            serverMilliseconds: milliseconds,
            asked: Self.moment(0),
            answered: Self.moment(1)
        )

        #expect((-1000...(1 << 48)).contains(correction.milliseconds(of: Self.moment(0))))
    }

    @Test("corrected times keep the order of the file")
    func order() {
        var clocks = [HybridClock.zero]
        for _ in 0..<3 { clocks.append(correction.clock(of: Self.now, after: clocks[clocks.count - 1])) }

        #expect(Array(clocks.dropFirst()) == [0, 1, 2].map { HybridClock(milliseconds: 1_000_000, counter: $0) })
    }

    @Test("the server takes what lies up to five seconds ahead of it as it came", arguments: [Int64(-99), 0, 5000])
    func tolerated(ahead: Int64) {
        let clock = HybridClock(milliseconds: 1_000_000 + ahead, counter: 3)

        #expect(StampCorrection.accepted(clock, serverMilliseconds: 1_000_000, after: .zero) == clock)
    }

    @Test("the server lowers what lies farther ahead to its own time")
    func lowered() {
        let clock = HybridClock(milliseconds: 1_005_001)

        let accepted = StampCorrection.accepted(clock, serverMilliseconds: 1_000_000, after: .zero)

        #expect(accepted == HybridClock(milliseconds: 1_000_000))
    }

    @Test("changes of one file that were lowered stay in order")
    func loweredInOrder() {
        let year = HybridClock(milliseconds: 31_536_000_000)
        let first = StampCorrection.accepted(year, serverMilliseconds: 1_000_000, after: .zero)
        let second = StampCorrection.accepted(year.next, serverMilliseconds: 1_000_000, after: first)

        #expect(second == first.next)
    }
}
