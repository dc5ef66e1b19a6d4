import EventModel
import Foundation
import Testing

@testable import AuditReview

@Suite("When reviews are due")
struct ReviewScheduleTests {
    @Test(
        "a period ends at midnight of its zone, on a Monday or on the first of a month",
        arguments: [
            (ReviewSchedule.Period.daily, "UTC", "2026-01-31T08:30:00Z", "2026-02-01T00:00:00Z"),
            (.daily, "UTC", "2026-01-31T00:00:00Z", "2026-02-01T00:00:00Z"),
            (.daily, "Europe/Zurich", "2026-01-31T08:30:00Z", "2026-01-31T23:00:00Z"),
            (.daily, "Europe/Zurich", "2026-01-31T23:30:00Z", "2026-02-01T23:00:00Z"),
            // The nights in which clocks are set: a day of 23 hours, and one of 25.
            (.daily, "Europe/Zurich", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
            (.daily, "Europe/Zurich", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
            (.daily, "Pacific/Kiritimati", "2026-01-31T09:59:59Z", "2026-01-31T10:00:00Z"),
            (.weekly, "UTC", "2026-01-31T08:30:00Z", "2026-02-02T00:00:00Z"),
            (.weekly, "UTC", "2026-02-02T00:00:00Z", "2026-02-09T00:00:00Z"),
            (.weekly, "America/New_York", "2026-02-01T12:00:00Z", "2026-02-02T05:00:00Z"),
            (.monthly, "UTC", "2026-01-31T08:30:00Z", "2026-02-01T00:00:00Z"),
            (.monthly, "UTC", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"),
        ]
    )
    func ends(period: ReviewSchedule.Period, zone: String, start: String, end: String) throws {
        let schedule = try #require(ReviewSchedule(period, zone: zone))
        let instant = try #require(EventInstant(start))

        #expect(schedule.end(after: instant) == EventInstant(end))
    }

    @Test("a zone that nobody knows is refused")
    func unknownZone() {
        #expect(ReviewSchedule(.daily, zone: "Europe/Nowhere") == nil)
        #expect(ReviewSchedule(.daily, zone: "") == nil)
    }
}

@Suite("Hours of work")
struct WorkingHoursTests {
    private static let week: Set<WorkingHours.Day> = [.monday, .tuesday, .wednesday, .thursday, .friday]

    private static func hours(
        _ opening: Int,
        _ closing: Int,
        days: Set<WorkingHours.Day> = week,
        zone: String = "UTC"
    ) throws -> WorkingHours {
        let zone = try #require(TimeZone(identifier: zone))
        return WorkingHours(days: days, opening: opening * 60, closing: closing * 60, zone: zone)
    }

    @Test(
        "an instant is within the hours, or behind the end of some",
        arguments: [
            // Friday the 30th of January 2026.
            ("2026-01-30T06:59:59Z", 7, 19, "UTC", "2026-01-29T19:00:00Z"),
            ("2026-01-30T07:00:00Z", 7, 19, "UTC", nil),
            ("2026-01-30T18:59:59Z", 7, 19, "UTC", nil),
            ("2026-01-30T19:00:00Z", 7, 19, "UTC", "2026-01-30T19:00:00Z"),
            // The weekend is one stretch, until Monday morning.
            ("2026-01-31T12:00:00Z", 7, 19, "UTC", "2026-01-30T19:00:00Z"),
            ("2026-02-02T06:00:00Z", 7, 19, "UTC", "2026-01-30T19:00:00Z"),
            // Hours over midnight belong to the day on which they begin.
            ("2026-01-30T21:00:00Z", 22, 6, "UTC", "2026-01-30T06:00:00Z"),
            ("2026-01-30T23:00:00Z", 22, 6, "UTC", nil),
            ("2026-01-31T05:59:00Z", 22, 6, "UTC", nil),
            ("2026-01-31T23:00:00Z", 22, 6, "UTC", "2026-01-31T06:00:00Z"),
            // A whole day.
            ("2026-01-30T23:59:00Z", 0, 0, "UTC", nil), ("2026-01-31T00:00:00Z", 0, 0, "UTC", "2026-01-31T00:00:00Z"),
            ("2026-01-30T06:30:00Z", 7, 19, "Europe/Zurich", nil),
            ("2026-07-31T05:30:00Z", 7, 19, "Europe/Zurich", nil),
            ("1969-12-31T23:00:00Z", 7, 19, "UTC", "1969-12-31T19:00:00Z"),
        ] as [(String, Int, Int, String, String?)]
    )
    func closed(at text: String, opening: Int, closing: Int, zone: String, end: String?) throws {
        let hours = try Self.hours(opening, closing, zone: zone)
        let instant = try #require(EventInstant(text))
        let expected = try end.map { Int(try #require(EventInstant($0)).microseconds / 60_000_000) }

        #expect(hours.closed(at: instant) == expected)
    }

    @Test("without any day of work each day counts by itself")
    func noDays() throws {
        let hours = try Self.hours(7, 19, days: [])
        let first = try #require(EventInstant("2026-01-30T08:00:00Z"))
        let second = try #require(EventInstant("2026-01-31T08:00:00Z"))

        #expect(hours.closed(at: first) != nil)
        #expect(hours.closed(at: first) != hours.closed(at: second))
    }
}
