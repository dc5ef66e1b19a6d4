import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Changes as bytes")
struct ChangeFormatTests {
    private static let change = Change(
        number: 7,
        base: 200,
        clock: HybridClock(bits: 0x0102_0304_0506_0708),
        event: ObjectId(high: 1, low: 2),
        operations: [person.set("name", "a"), person.set("name", "b")]
    )

    @Test("a change is read from its bytes alone")
    func roundTrip() throws {
        #expect(try Change(number: 7, body: Self.change.body) == Self.change)
    }

    @Test("the changes of random work are read from their bytes alone", arguments: 1...20 as ClosedRange<UInt64>)
    func randomWork(seed: UInt64) throws {
        for commit in OfflineWork(seed: seed).rounds.joined() {
            let change = Change(number: 1, base: 3, clock: commit.clock, operations: commit.operations)

            #expect(try Change(number: 1, body: change.body) == change)
        }
    }

    @Test("the bytes of a posted object are its address and its document")
    func posted() throws {
        let reading = ObjectAddress("R", .int(1))
        let change = Change.sample(operations: [ChangeOperation(reading, .post("{}"))])

        #expect(try Change(number: 1, body: change.body) == change)
        #expect(change.body.suffix(4) == [0, 2] + Array("{}".utf8))
        #expect(change.body.contains(16))
    }

    @Test("a name is there once, however often it is used")
    func names() {
        let body = Self.change.body
        let name = Array("name".utf8)

        #expect(body.indices.filter { body[$0...].starts(with: name) }.count == 1)
    }

    @Test("another time changes the first eight bytes and nothing else")
    func clock() throws {
        let clock = HybridClock(bits: .max - 5)

        let body = try Change.settingClock(clock, in: Self.change.body)

        #expect(try Change.clock(in: body) == clock)
        #expect(body.dropFirst(8) == Self.change.body.dropFirst(8))
        let expected = Change(
            number: 7,
            base: 200,
            clock: clock,
            event: Self.change.event,
            operations: Self.change.operations
        )
        #expect(try Change(number: 7, body: body) == expected)
    }

    @Test("bytes that have no time get none", arguments: [0, 7, 8])
    func noClock(count: Int) {
        #expect(throws: ChangeModelError.self) {
            try Change.settingClock(.zero, in: [UInt8](repeating: 0, count: count))
        }
    }

    @Test("what follows the operations, a flag that is none, and a negative position are errors")
    func malformed() throws {
        var flagged = Change.sample().body
        flagged[9] = 4

        #expect(throws: ChangeModelError.self) { try Change(number: 1, body: Change.sample().body + [0]) }
        #expect(throws: ChangeModelError.self) { try Change(number: 1, body: flagged) }
        #expect(throws: ChangeModelError.self) { try Change(number: 1, body: Change.sample(base: -1).body) }
    }

    @Test("a change, an entry and a count of operations above their limits are errors before they are read")
    func limits() {
        let change = ChangeLimits.changeBytes + 1
        let entry = ChangeLimits.entryBytes + 1

        #expect(throws: ChangeModelError.tooLarge(bytes: change, limit: change - 1)) {
            try Change(number: 1, body: [UInt8](repeating: 0, count: change))
        }
        #expect(throws: ChangeModelError.tooLarge(bytes: entry, limit: entry - 1)) {
            try Entry(bytes: [UInt8](repeating: 0, count: entry))
        }
        #expect(throws: ChangeModelError.tooMany(count: 1_000_001, limit: 1_000_000)) {
            let head: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xC1, 0x84, 0x3D]
            return try Change(number: 1, body: head + [UInt8](repeating: 0, count: 1_000_001))
        }
    }
}
