package import EventModel
public import Foundation

/// When an app is used: some hours of some days in a time zone.
public struct WorkingHours: Sendable, Hashable {
    /// A day of the week.
    public enum Day: Int, Sendable, Hashable, CaseIterable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    private static let dayMinutes = 1440

    /// The days on which the hours begin.
    public let days: Set<Day>
    /// The minute of the day at which they begin.
    public let opening: Int
    /// The minute of the day at which they end; one before ``opening``, or the same, is of the next day.
    public let closing: Int
    /// The time zone.
    public let zone: TimeZone

    /// Describes hours.
    ///
    /// - Precondition: Both minutes are of one day, 0 to 1439.
    /// - Parameters:
    ///   - days: The days on which they begin.
    ///   - opening: The minute of the day at which they begin.
    ///   - closing: The minute of the day at which they end.
    ///   - zone: The time zone.
    public init(days: Set<Day>, opening: Int, closing: Int, zone: TimeZone) {
        let minutes = 0..<Self.dayMinutes
        precondition(minutes.contains(opening) && minutes.contains(closing), "A day has the minutes 0 to 1439.")
        self.days = days
        self.opening = opening
        self.closing = closing
        self.zone = zone
    }

    /// Returns when the hours ended before an instant, in minutes of the zone's own clock since 1970; nil during the hours.
    ///
    /// Two instants between the same two working hours have the same answer.
    package func closed(at instant: EventInstant) -> Int? {
        let (seconds, _) = instant.microseconds.floored(by: 1_000_000)
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        let (minute, _) = (seconds + Int64(offset)).floored(by: 60)
        let (today, _) = minute.floored(by: Int64(Self.dayMinutes))
        let length = closing > opening ? closing - opening : closing - opening + Self.dayMinutes
        // The hours of a week ago at the latest are the last before any instant.
        for day in stride(from: today, through: today - 7, by: -1) where days.contains(Self.weekday(day)) {
            let start = day * Int64(Self.dayMinutes) + Int64(opening)
            guard start <= minute else { continue }
            let end = start + Int64(length)
            return minute < end ? nil : Int(end)
        }
        // Without any working day nothing ever ends; each day counts by itself.
        return Int(today * Int64(Self.dayMinutes))
    }

    /// Returns the weekday of a day since 1970, which began on a Thursday.
    private static func weekday(_ day: Int64) -> Day {
        Day(rawValue: Int((day + 3).floored(by: 7).remainder)) ?? .monday
    }
}

extension Int64 {
    /// Divides as a calendar does, so that the remainder is never negative.
    fileprivate func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
