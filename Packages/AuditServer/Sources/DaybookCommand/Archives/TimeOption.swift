import AuditArchives
import EventModel

/// A time on the command line: in ISO 8601, a day, or so long ago.
enum TimeOption {
    /// What each unit of "so long ago" has of microseconds.
    private static let units: [Character: Int64] = [
        "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000, "w": 604_800_000_000,
    ]

    /// Reads a time.
    ///
    /// - Parameters:
    ///   - text: `2026-01-31T08:30:00Z`, `2026-01-31` for its start in UTC, `now`, or `90s`, `10m`, `2h`, `3d`, `1w` ago.
    ///   - now: The time that it is.
    /// - Returns: The time.
    /// - Throws: `CommandError.malformedTime(_:)` for anything else.
    static func instant(_ text: String, now: EventInstant) throws(CommandError) -> EventInstant {
        if text == "now" { return now }
        if let instant = EventInstant(text) ?? EventInstant("\(text)T00:00:00Z") { return instant }
        guard let unit = text.last.flatMap({ units[$0] }), text.utf8.count < 12, let count = Int64(text.dropLast()),
            count >= 0
        else { throw .malformedTime(text) }
        let (span, isLong) = count.multipliedReportingOverflow(by: unit)
        let (earlier, isEarly) = now.microseconds.subtractingReportingOverflow(span)
        guard !isLong, !isEarly else { throw .malformedTime(text) }
        return EventInstant(microseconds: earlier)
    }
}
