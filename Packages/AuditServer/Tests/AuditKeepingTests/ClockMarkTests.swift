import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@testable import AuditKeeping
@testable import AuditModel

@Suite("A clock that is doubted")
struct ClockMarkTests {
    private static let hour: Int64 = 3_600_000_000
    private static let day = 24 * hour
    private static let year = 365 * day

    /// A reading so many microseconds after the start of both clocks.
    private static func reading(_ wall: Int64, up: Int64, boot: UInt64 = 1) -> ClockReading {
        ClockReading(
            wall: EventInstant(microseconds: 1_700_000_000_000_000 + wall),
            monotonicNanoseconds: UInt64(up) * 1000,
            boot: Boot(high: boot, low: 0)
        )
    }

    @Test("a clock that goes as fast as the one that counts is believed, also after it was set by less than an hour")
    func plausible() {
        var mark = ClockMark(Self.reading(0, up: 0))

        #expect(mark.look(Self.reading(Self.day, up: Self.day)) == .plausible)
        #expect(mark.look(Self.reading(2 * Self.day + Self.hour, up: 2 * Self.day)) == .plausible)
        #expect(mark.look(Self.reading(Self.year, up: Self.year)) == .plausible)
    }

    @Test("a clock that is set years ahead is doubted until it is right again, however often it is looked at")
    func ahead() {
        var mark = ClockMark(Self.reading(0, up: 0))
        let ahead = 10 * Self.year - 2 * Self.hour

        for _ in 1...3 {
            #expect(mark.look(Self.reading(10 * Self.year, up: 2 * Self.hour)) == .ahead(ahead))
            #expect(mark.isDoubted)
        }
        #expect(mark.look(Self.reading(3 * Self.hour, up: 3 * Self.hour)) == .plausible)
        #expect(!mark.isDoubted)
    }

    @Test("a clock that runs a little too fast is doubted once it is an hour ahead, not compared with yesterday")
    func creeping() {
        var mark = ClockMark(Self.reading(0, up: 0))

        for hours in Int64(1)...6 {
            let verdict = mark.look(Self.reading(hours * (Self.hour + Self.hour / 5), up: hours * Self.hour))
            #expect(verdict == (hours <= 5 ? .plausible : .ahead(6 * Self.hour / 5)))
        }
    }

    @Test("a clock that was set back is compared from there on")
    func back() {
        var mark = ClockMark(Self.reading(10 * Self.year, up: 0))

        #expect(mark.look(Self.reading(Self.hour, up: Self.hour)) == .plausible)
        #expect(mark.look(Self.reading(10 * Self.year, up: 2 * Self.hour)) != .plausible)
    }

    @Test("after a start of the machine the clock may be a week ahead of the last time that was believed, and not more")
    func restart() {
        var mark = ClockMark(Self.reading(0, up: 0))
        #expect(mark.look(Self.reading(Self.day, up: Self.day)) == .plausible)

        #expect(mark.look(Self.reading(9 * Self.day, up: 0, boot: 2)) == .ahead(8 * Self.day))
        #expect(mark.look(Self.reading(8 * Self.day, up: Self.hour, boot: 2)) == .plausible)
        #expect(
            mark.look(Self.reading(8 * Self.day + 3 * Self.hour, up: 2 * Self.hour, boot: 2)) == .ahead(2 * Self.hour)
        )
    }

    @Test("a doubt outlives a start of the machine, and what the server receives meanwhile does not end it")
    func doubtStays() async throws {
        let folder = try TestFolder.made()
        let path = folder.file("clock.json")
        let clock = ManualClock()
        let before = try ClockGuard(path: path, clock: clock, uptime: { clock.now().monotonicNanoseconds })
        #expect(try await before.look { nil }.isBelieved)
        clock.setWall(EventInstant(microseconds: clock.now().wall.microseconds + 10 * Self.year))
        #expect(try await !before.look { nil }.isBelieved)

        let later = ManualClock(start: clock.now().wall, boot: Boot(high: 9, low: 9))
        let after = try ClockGuard(path: path, clock: later, uptime: { later.now().monotonicNanoseconds })

        let state = try await after.look { later.now().wall }
        #expect(!state.isBelieved)
        #expect(state.aheadSeconds == 10 * Self.year / 1_000_000)
        try after.believe()
        #expect(try await after.look { nil }.isBelieved)
    }

    @Test(
        "where nothing is remembered, the newest receipt says what time it may be",
        arguments: [(89, true), (91, false)]
    )
    func receipts(days: Int64, isBelieved: Bool) async throws {
        let clock = ManualClock()
        let receipt = EventInstant(microseconds: clock.now().wall.microseconds - days * Self.day)
        let clockGuard = ClockGuard(clock: clock)

        #expect(try await clockGuard.look { receipt }.isBelieved == isBelieved)
        // What arrives with the time of the clock in doubt is no proof of it.
        #expect(try await clockGuard.look { clock.now().wall }.isBelieved == isBelieved)
        #expect(try await ClockGuard(clock: clock).look { nil }.isBelieved)
    }

    @Test("a file that says something else is refused with its name")
    func damaged() throws {
        let folder = try TestFolder.made()
        let path = folder.file("clock.json")
        try Data("{".utf8).write(to: URL(filePath: path))

        #expect(throws: AuditServerError.self) {
            try ClockGuard(path: path, clock: ManualClock(), uptime: { 0 })
        }
    }
}

@Suite("How much expires in a day")
struct RetentionDayTests {
    private static let now = EventInstant(microseconds: 1_700_000_000_000_000)

    private static func record(_ number: Int64, _ events: UInt64?, hoursAgo: Int64, app: String = "a") -> ErasureRecord
    {
        let at = EventInstant(microseconds: now.microseconds - hoursAgo * 3_600_000_000)
        let act = LegalHold.Act(by: "the server", at: at, reason: "r")
        return ErasureRecord(
            number: number,
            order: ErasureOrder(kind: .retention, begun: act, filter: KeepingFilter(app: app)),
            result: events.map { ErasureRecord.Result(events: $0, digest: MerkleFrontier().root) }
        )
    }

    @Test("a part of all events, twice what the rule takes when that is more, and a thousand always")
    func share() {
        let day = RetentionDay()

        #expect(day.allowance(of: "a", total: 1_000_000, share: 0.05, days: 2190) == 50_000)
        #expect(day.allowance(of: "a", total: 1_000_000, share: 0.05, days: 10) == 200_000)
        #expect(day.allowance(of: "a", total: 1_000_000, share: 0.05, days: 1) == 1_000_000)
        #expect(day.allowance(of: "a", total: 20, share: 0.05, days: 2190) == 1000)
    }

    @Test("what expired in the last 24 hours counts, of this app, also what has not ended")
    func gone() {
        var day = RetentionDay()
        day.add(Self.record(1, 900, hoursAgo: 25))
        day.add(Self.record(2, 300, hoursAgo: 23))
        day.add(Self.record(3, 500, hoursAgo: 1, app: "b"))
        day.add(Self.record(4, nil, hoursAgo: 0))
        day.forget(before: Self.now)

        #expect(day.last == 4)
        #expect(day.unfinished == [4])
        day.count(200, of: 4)
        #expect(day.allowance(of: "a", total: 0, share: 0.05, days: 2190) == 500)
        #expect(day.allowance(of: "b", total: 0, share: 0.05, days: 2190) == 500)
        #expect(day.allowance(of: "c", total: 0, share: 0.05, days: 2190) == 1000)
    }
}
