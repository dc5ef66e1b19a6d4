import Daybook

/// Dates of FHIR R4: a year, a month, a day, or an instant with a zone.
///
/// Source: https://hl7.org/fhir/R4/datatypes.html#dateTime. A part that is missing counts as the first one, and a date
/// without a time as midnight UTC, so that charts sort.
enum FHIRDate {
    /// Returns the instant of a text, or nil when it has another form.
    static func date(_ text: String) -> Date? {
        let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts[0].utf8.count == 4, let year = number(parts[0]) else { return nil }
        guard parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        let month = parts.count > 1 ? number(parts[1]) : 1
        let day = parts.count > 2 ? number(parts[2]) : 1
        guard let month, let day, (1...12).contains(month), (1...31).contains(day) else { return nil }
        let days = ISO8601.dayNumber(year: year, month: month, day: day)
        // A day that the month does not have comes back as another date.
        guard ISO8601.civil(days: days) == (year, month, day) else { return nil }
        guard halves.count == 2 else { return date(days: days, seconds: 0) }
        guard parts.count == 3, let seconds = secondsOfDay(halves[1]) else { return nil }
        return date(days: days, seconds: seconds)
    }

    private static func date(days: Int64, seconds: Double) -> Date {
        Date(timeIntervalSince1970: Double(days * 86_400) + seconds)
    }

    /// Reads `hh:mm:ss[.fff](Z|±hh:mm)`, as seconds since midnight UTC.
    private static func secondsOfDay(_ text: Substring) -> Double? {
        guard let zoneStart = text.lastIndex(where: { $0 == "Z" || $0 == "+" || $0 == "-" }) else { return nil }
        let clock = text[..<zoneStart].split(separator: ":", omittingEmptySubsequences: false)
        guard
            clock.count == 3, let hour = number(clock[0]), let minute = number(clock[1]), let second = Double(clock[2]),
            hour < 24, minute < 60, (0..<61).contains(second)
        else { return nil }
        guard let offset = zoneOffset(text[zoneStart...]) else { return nil }
        return Double(hour * 3600 + minute * 60 - offset) + second
    }

    private static func zoneOffset(_ zone: Substring) -> Int64? {
        if zone == "Z" { return 0 }
        let parts = zone.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hours = number(parts[0]), let minutes = number(parts[1]) else { return nil }
        guard hours <= 14, minutes < 60 else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return zone.first == "-" ? -seconds : seconds
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
