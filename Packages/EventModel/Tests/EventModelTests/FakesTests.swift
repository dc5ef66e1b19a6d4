import EventModel
import EventModelTesting
import Testing

@Suite("Fakes of time, ids and encoding")
struct FakesTests {
    @Test("a manual clock stands still until it is moved, or moves by its step")
    func manualClock() {
        let still = ManualClock()
        let stepping = ManualClock(start: EventInstant(microseconds: 10), step: 5)

        #expect(still.now() == still.now())
        #expect(stepping.now().wall.microseconds == 10)
        #expect(stepping.now().wall.microseconds == 15)
        stepping.advance(microseconds: 100)
        #expect(stepping.now().monotonicNanoseconds == 110_000)
    }

    @Test("setting the wall clock leaves the monotonic clock alone")
    func wallClock() {
        let clock = ManualClock()
        clock.advance(microseconds: 3)

        clock.setWall(EventInstant(microseconds: 0))

        #expect(clock.now().wall.microseconds == 0)
        #expect(clock.now().monotonicNanoseconds == 3000)
    }

    @Test("sequential ids count up from one")
    func sequentialIds() {
        let ids = SequentialIds()

        #expect([ids.next(), ids.next()].map(\.low) == [1, 2])
        #expect([ids.next(count: 10), ids.next()].map(\.low) == [3, 13])
    }

    @Test("the fixed encoder shows rows, followed links and changes, and fails where it is asked to")
    func fixedEncoder() throws {
        var writer = SnapshotWriter(shape: SnapshotTests.person)
        let rows = ([1, 2, 3] as [Int64])
            .map { key in
                writer.begin(key: key, version: 1)
                return writer.finish()
            }
        let followed = FollowedProperty(slot: 12, targets: [3: ReadObject(snapshot: rows[2])])
        var read: [UInt8] = []
        var write: [UInt8] = []
        let changes = CommitChanges(
            versionBefore: 1,
            versionAfter: 2,
            classes: [ClassChanges(shape: SnapshotTests.person, insertions: [rows[0]], deletions: [rows[1]])]
        )

        try FixedEncoder()
            .appendRead(
                type: "Person",
                objects: [ReadObject(snapshot: rows[0], followed: [followed]), ReadObject(snapshot: rows[1])],
                to: &read
            )
        try FixedEncoder().appendWrite(changes, to: &write)

        #expect(String(decoding: read, as: UTF8.self) == "Person:1+12(3),2")
        #expect(String(decoding: write, as: UTF8.self) == "Person i1 d2")
        #expect(throws: FixedEncoder.Failure(className: "Person")) {
            try FixedEncoder(failing: ["Person"]).appendWrite(changes, to: &write)
        }
    }
}
