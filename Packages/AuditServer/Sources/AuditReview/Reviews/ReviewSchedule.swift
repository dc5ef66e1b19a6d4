package import EventModel
import Foundation

/// How often a review is due.
package struct ReviewSchedule: Sendable, Hashable, Codable {
    /// How long a period is.
    package enum Period: String, Sendable, Hashable, Codable, CaseIterable {
        /// From midnight to midnight.
        case daily
        /// From Monday to Monday.
        case weekly
        /// From the first of a month to that of the next one.
        case monthly
    }

    /// How long a period is.
    package let period: Period
    /// The name of the time zone that midnight is meant in, such as `Europe/Zurich`.
    package let zone: String

    /// Creates a schedule; nil when no such zone is known.
    package init?(_ period: Period, zone: String) {
        guard TimeZone(identifier: zone) != nil else { return nil }
        self.period = period
        self.zone = zone
    }

    /// Returns the first end of a period after an instant.
    ///
    /// A zone that this system does not know, because another one planned it, is taken for UTC.
    package func end(after instant: EventInstant) -> EventInstant {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        var midnight = DateComponents(hour: 0, minute: 0, second: 0)
        switch period {
        case .daily: break
        case .weekly: midnight.weekday = 2
        case .monthly: midnight.day = 1
        }
        let start = Date(timeIntervalSince1970: Double(instant.microseconds) / 1_000_000)
        // Where midnight is skipped in spring, the day begins later.
        let end = calendar.nextDate(after: start, matching: midnight, matchingPolicy: .nextTime)
        let seconds = (end ?? start.addingTimeInterval(86_400)).timeIntervalSince1970
        return EventInstant(microseconds: Int64(seconds) * 1_000_000)
    }
}
