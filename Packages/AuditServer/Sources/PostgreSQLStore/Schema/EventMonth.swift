import EventModel

/// A month of the calendar in UTC, which names the part of `AuditEvent` that a partition's events lie in.
///
/// All events of a partition are in the month in which its first stretch was received, whatever the clock of the device
/// says. A month can be taken out as a whole, and with it whole partitions.
struct EventMonth: Hashable {
    /// The year times 100 plus the month, such as 202611.
    let number: Int32

    /// Names a stored month.
    init(number: Int32) {
        self.number = number
    }

    /// Returns the month of an instant.
    init(_ instant: EventInstant) {
        let microsecondsOfDay: Int64 = 86_400_000_000
        let (days, rest) = instant.microseconds.quotientAndRemainder(dividingBy: microsecondsOfDay)
        // Counted from 1 March of the year 0, so that the day that is left out sometimes is a year's last.
        let day = (rest < 0 ? days - 1 : days) + 719_468
        let era = (day >= 0 ? day : day - 146_096) / 146_097
        let dayOfEra = day - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        let year = yearOfEra + era * 400 + (isNextYear ? 1 : 0)
        number = Int32(truncatingIfNeeded: year * 100 + (isNextYear ? month - 9 : month + 3))
    }

    /// The table with the month's events.
    var table: String { "auditevent_\(number < 0 ? "b" : "")\(number.magnitude)" }
}
