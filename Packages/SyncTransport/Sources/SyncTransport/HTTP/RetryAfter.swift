import EventModel

/// Reads the header `Retry-After`, which is a number of seconds or an HTTP date.
enum RetryAfter {
    /// Reads how long to wait.
    ///
    /// - Parameters:
    ///   - text: The value of the header.
    ///   - now: What a date is compared with.
    /// - Returns: The time, at least zero; nil when the text has neither form.
    static func duration(_ text: String, now: EventInstant) -> Duration? {
        let trimmed = text.split(separator: " ").joined(separator: " ")
        if !trimmed.isEmpty, trimmed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than fit are "very long"; the caller bounds them.
            return .seconds(min(Int64(trimmed) ?? .max, 1_000_000_000))
        }
        guard let date = date(trimmed) else { return nil }
        return .microseconds(max(0, date.microseconds - now.microseconds))
    }

    /// Reads the preferred form of RFC 9110, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ text: String) -> EventInstant? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT", parts[1].count == 2, parts[3].count == 4,
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return EventInstant("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
