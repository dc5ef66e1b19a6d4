import EventModel
import Testing

@testable import EventPartitions

@Suite("QuotaAccount")
struct QuotaAccountTests {
    static let mebibyte: UInt64 = 1 << 20

    @Test("nothing may be taken before the folder is measured")
    func unmeasured() {
        var account = QuotaAccount(EventQuota())

        let result1 = account.take(1)
        #expect(!result1)
        #expect(account.mayMeasure(now: 0))
    }

    @Test("without a limit everything may be taken, and nothing is measured")
    func unlimited() {
        var account = QuotaAccount(.unlimited)

        for _ in 0..<10 {
            let isTaken = account.take(1 << 50)
            #expect(isTaken)
        }
    }

    @Test(
        "a measurement grants an eighth of the room, from 64 KiB to 4 MiB",
        arguments: [
            (used: 0, granted: 4 * mebibyte), (used: 496 * mebibyte, granted: 2 * mebibyte),
            (used: 512 * mebibyte - 100_000, granted: 65536), (used: 512 * mebibyte - 1000, granted: 1000),
        ] as [(used: UInt64, granted: UInt64)]
    )
    func grants(_ row: (used: UInt64, granted: UInt64)) {
        var account = QuotaAccount(EventQuota())

        account.didMeasure(row.used, needed: 1, now: 0)

        #expect(account.granted == row.granted)
    }

    @Test("what is needed is granted when there is room for it, however much it is")
    func largeNeed() {
        var account = QuotaAccount(EventQuota())

        account.didMeasure(0, needed: 100 * Self.mebibyte, now: 0)

        let result2 = account.take(100 * Self.mebibyte)
        #expect(result2)
        let result3 = account.take(1)
        #expect(!result3)
    }

    @Test("what was taken and is not written yet counts, what is written does not count twice")
    func unwritten() {
        var account = QuotaAccount(EventQuota(bytes: 1000))
        account.didMeasure(0, needed: 600, now: 0)
        let result4 = account.take(600)
        #expect(result4)

        account.didMeasure(0, needed: 500, now: 0)
        #expect(account.granted == 400)

        account.didWrite()
        account.didMeasure(300, needed: 500, now: 0)
        let result5 = account.take(500)
        #expect(result5)
    }

    @Test("a full folder is measured again after a second, or when something of it goes")
    func patience() {
        var account = QuotaAccount(EventQuota(bytes: 1000))
        account.didMeasure(1000, needed: 1, now: 5)

        #expect(!account.mayMeasure(now: 5))
        #expect(!account.mayMeasure(now: 5 + QuotaAccount.patience - 1))
        #expect(account.mayMeasure(now: 5 + QuotaAccount.patience))
        #expect(account.mayMeasure(now: 4))
        account.didFree()
        #expect(account.mayMeasure(now: 5))
    }

    @Test("more in the folder than the limit grants nothing")
    func overfull() {
        var account = QuotaAccount(EventQuota(bytes: 1000))

        account.didMeasure(5000, needed: 1, now: 0)

        #expect(account.granted == 0)
        #expect(account.usedBytes == 5000)
    }
}

@Suite("UnenteredLosses")
struct UnenteredLossesTests {
    private func refusal(_ count: UInt64, at microseconds: Int64 = 0) -> LossEntry {
        let instant = EventInstant(microseconds: microseconds)
        return LossEntry(reason: .quota, count: count, noticed: instant, first: instant, last: instant)
    }

    @Test("the first refusal is due at once, the next ones when their number has doubled")
    func doubling() {
        var losses = UnenteredLosses()
        var entered: [UInt64] = []
        for _ in 0..<100 {
            losses.refuse(refusal(1))
            entered += losses.take(now: 0, all: false).map(\.count)
        }

        #expect(entered == [1, 1, 2, 4, 8, 16, 32])
        #expect(losses.entries.map(\.count) == [36])
        let result6 = losses.take(now: 0, all: true)
        #expect(result6.map(\.count) == [36])
        #expect(losses.isEmpty)
    }

    @Test("refusals are due after a minute, however few they are")
    func minute() {
        var losses = UnenteredLosses()
        losses.refuse(refusal(50))
        let result7 = losses.take(now: 0, all: false)
        #expect(result7.map(\.count) == [50])
        losses.refuse(refusal(1))

        let result8 = losses.take(now: UnenteredLosses.patience - 1, all: false)
        #expect(result8.isEmpty)
        let result9 = losses.take(now: UnenteredLosses.patience, all: false)
        #expect(result9.map(\.count) == [1])
    }

    @Test("refusals are counted together with the times of the first and the last")
    func merging() {
        var losses = UnenteredLosses()
        losses.refuse(refusal(2, at: 10))
        losses.refuse(refusal(3, at: 30))

        let entry = losses.take(now: 0, all: true).first

        #expect(entry?.count == 5)
        #expect(entry?.first == EventInstant(microseconds: 10))
        #expect(entry?.last == EventInstant(microseconds: 30))
    }

    @Test("noted losses are kept one by one up to a number, then entered as one for each reason")
    func folding() {
        var losses = UnenteredLosses()
        let reasons: [LossEntry.Reason] = [.writeFailed, .damaged]
        for number in 0..<200 {
            losses.note([LossEntry(reason: reasons[number % 2], count: 1, noticed: EventInstant(microseconds: 1))])
            #expect(losses.entries.count <= UnenteredLosses.maximumCount)
        }

        #expect(losses.entries.reduce(0) { $0 + $1.count } == 200)
    }

    @Test("what could not be written is there again")
    func givingBack() {
        var losses = UnenteredLosses()
        losses.note([refusal(3)])
        let taken = losses.take(now: 0, all: true)

        losses.giveBack(taken)

        #expect(losses.entries == [refusal(3)])
    }
}

@Suite("RetentionSchedule")
struct RetentionScheduleTests {
    private let ids = (0..<9).map { PartitionID(prefix: "p", id: ObjectId(high: 0, low: $0)) }

    private func candidate(_ number: Int, bytes: UInt64 = 10, count: UInt64 = 1, last: Int64 = 0)
        -> RetentionSchedule.Candidate
    {
        .init(
            partition: ids[number],
            byteCount: bytes,
            count: count,
            last: EventInstant(microseconds: last * 1_000_000)
        )
    }

    private func victims(
        _ retention: EventRetention,
        _ closed: [RetentionSchedule.Candidate],
        now: Int64 = 0
    ) -> [Int] {
        RetentionSchedule(retention).victims(of: closed, now: EventInstant(microseconds: now * 1_000_000))
            .compactMap { ids.firstIndex(of: $0) }
    }

    @Test("by default everything is kept, and nobody looks")
    func everything() {
        #expect(!RetentionSchedule(.everything).isDue(now: .max))
        #expect(victims(.everything, [candidate(0)], now: 1_000_000_000) == [])
    }

    @Test("partitions go whose last event is older than the age")
    func age() {
        let closed = [candidate(0, last: 10), candidate(1, last: 20), candidate(2, last: 300)]

        #expect(victims(EventRetention(maximumAge: .seconds(100)), closed, now: 110) == [])
        #expect(victims(EventRetention(maximumAge: .seconds(100)), closed, now: 111) == [0])
        #expect(victims(EventRetention(maximumAge: .seconds(100)), closed, now: 121) == [0, 1])
    }

    @Test("the oldest partitions go until the rest fits")
    func bytes() {
        let closed = [candidate(0), candidate(1), candidate(2)]

        #expect(victims(EventRetention(maximumBytes: 30), closed) == [])
        #expect(victims(EventRetention(maximumBytes: 29), closed) == [0])
        #expect(victims(EventRetention(maximumBytes: 9), closed) == [0, 1, 2])
    }

    @Test("a partition that holds only losses goes together with a later one, and never alone")
    func lossesOnly() {
        let retention = EventRetention(maximumBytes: 25)

        #expect(victims(retention, [candidate(0, count: 0), candidate(1, count: 0), candidate(2, count: 0)]) == [])
        #expect(victims(retention, [candidate(0, count: 0), candidate(1), candidate(2)]) == [0, 1])
    }

    @Test("it is time to look at once, after an eighth of the age or an hour, and when a partition is closed")
    func dueTimes() {
        var schedule = RetentionSchedule(EventRetention(maximumAge: .seconds(80)))
        #expect(schedule.isDue(now: 0))
        schedule.didLook(now: 0)
        #expect(!schedule.isDue(now: 9_999_999_999))
        #expect(schedule.isDue(now: 10_000_000_000))
        schedule.didLook(now: 20_000_000_000)
        schedule.didSeal()
        #expect(schedule.isDue(now: 20_000_000_000))
        var rare = RetentionSchedule(.days(365))
        rare.didLook(now: 0)
        #expect(!rare.isDue(now: RetentionSchedule.longestPause - 1))
        #expect(rare.isDue(now: RetentionSchedule.longestPause))
    }

    @Test("a partition is closed when its first event has a quarter of the age")
    func closing() {
        let schedule = RetentionSchedule(EventRetention(maximumAge: .seconds(400)))
        let first = EventInstant(microseconds: 0)

        #expect(!schedule.shouldClose(first: first, now: EventInstant(microseconds: 100_000_000)))
        #expect(schedule.shouldClose(first: first, now: EventInstant(microseconds: 100_000_001)))
    }
}

@Suite("SyncSchedule")
struct SyncScheduleTests {
    @Test("only an interval sets a timer, one at a time")
    func levels() {
        var each = SyncSchedule(.eachCommit)
        var system = SyncSchedule(.system)
        var interval = SyncSchedule(.interval(.milliseconds(250)))

        #expect(each.isImmediate && !system.isImmediate && !interval.isImmediate)
        let result10 = each.didWrite()
        #expect(result10 == nil)
        let result11 = system.didWrite()
        #expect(result11 == nil)
        let result12 = interval.didWrite()
        #expect(result12 == 250_000_000)
        let result13 = interval.didWrite()
        #expect(result13 == nil)
        interval.timerDidFire()
        let result14 = interval.didWrite()
        #expect(result14 == 250_000_000)
    }
}
