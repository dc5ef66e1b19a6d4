import EventModel
import EventModelTesting
import Foundation
import Testing

@Suite("ObjectId")
struct ObjectIdTests {
    @Test("24 hexadecimal digits survive a round trip")
    func roundTrip() throws {
        let id = try ObjectId(string: "62b38b3c10846041166f5DEB")

        #expect(id.stringValue == "62b38b3c10846041166f5deb")
        #expect(id.withUnsafeBytes { Array($0) }.count == 12)
    }

    @Test(
        "any other text is refused without repeating it",
        arguments: ["", "abc", "62b38b3c10846041166f5dez", "62b38b3c10846041166f5deb0"]
    )
    func refusal(text: String) {
        #expect(throws: EventModelError.malformedObjectId(length: text.utf8.count)) {
            try ObjectId(string: text)
        }
    }

    @Test("generated ids increase, also when the clock is set back")
    func increasing() {
        let clock = ManualClock()
        let generator = ObjectIdGenerator(clock: clock, seed: 0x0102_0304_0500_0000 | 0xFF_FFF0)
        var ids = (0..<100).map { _ in generator.next() }
        clock.setWall(EventInstant(microseconds: 0))
        ids += (0..<100).map { _ in generator.next() }

        #expect(ids == ids.sorted())
        #expect(Set(ids).count == ids.count)
    }

    @Test("a time before 1970 counts as 1970, and does not push the ids into the next century")
    func beforeTheEpoch() {
        let clock = ManualClock(start: EventInstant(microseconds: -1))
        let generator = ObjectIdGenerator(clock: clock, seed: 0)

        #expect(generator.next().timestamp.timeIntervalSince1970 == 0)
        clock.setWall(EventInstant(microseconds: 7_000_000))
        #expect(generator.next().timestamp.timeIntervalSince1970 == 7)
    }

    @Test("an id is made of every date", arguments: [-1.5, -1e300, .nan, .infinity, 1e300, 5.5])
    func dates(seconds: Double) {
        let id = ObjectId(timestamp: Date(timeIntervalSince1970: seconds), machineId: 1, processId: 2)

        let expected: Double = seconds == 5.5 ? 5 : seconds > 0 ? Double(UInt32.max) : 0
        #expect(id.timestamp.timeIntervalSince1970 == expected)
    }

    @Test("a run of ids is what one after the other would have been")
    func runs() {
        let one = ObjectIdGenerator(clock: ManualClock(), seed: 0x0102_0304_057F_FFF0)
        let run = ObjectIdGenerator(clock: ManualClock(), seed: 0x0102_0304_057F_FFF0)

        let ids = (0..<1000).map { _ in one.next() }
        let first = run.next(count: ids.count)

        #expect(ids.indices.allSatisfy { first.following($0) == ids[$0] })
        #expect(run.next() == one.next())
        let almostFull = ObjectId(high: 5 << 32 | 6, low: 7 << 24 | 0xFF_FFFF)
        #expect(almostFull.following(1) == ObjectId(high: 6 << 32 | 6, low: 7 << 24))
    }
}
