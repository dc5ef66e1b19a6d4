import EventModel
import EventModelTesting
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
}
