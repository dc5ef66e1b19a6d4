import EventModel
import Testing

@testable import PostgreSQLStore

@Suite("Months of events")
struct EventMonthTests {
    @Test(
        "an instant is in the month of the calendar in UTC",
        arguments: [
            ("1970-01-01T00:00:00Z", 197001), ("1969-12-31T23:59:59.999999Z", 196912),
            ("2000-02-29T12:00:00Z", 200002), ("2000-03-01T00:00:00Z", 200003), ("2023-11-14T22:13:21Z", 202311),
            ("2026-12-31T23:59:59.999999Z", 202612), ("2027-01-01T00:00:00Z", 202701),
            ("2100-02-28T23:59:59Z", 210002), ("2100-03-01T00:00:00Z", 210003), ("1900-02-28T23:00:00Z", 190002),
        ]
    )
    func month(text: String, number: Int32) throws {
        let instant = try #require(EventInstant(text))

        #expect(EventMonth(instant).number == number)
    }

    @Test("a month names a table")
    func table() {
        #expect(EventMonth(number: 202611).table == "auditevent_202611")
    }

    @Test("the first and the last instant have a month", arguments: [Int64.min, .max])
    func extremes(microseconds: Int64) {
        #expect(EventMonth(EventInstant(microseconds: microseconds)).table.utf8.count < 63)
    }
}
