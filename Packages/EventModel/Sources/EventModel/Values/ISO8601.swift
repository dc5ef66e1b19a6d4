/// Instants as text by ISO 8601-1:2019, always in UTC, by the proleptic Gregorian calendar.
///
/// The day arithmetic follows Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
public enum ISO8601 {
    /// Appends `YYYY-MM-DDThh:mm:ss.fffZ`.
    ///
    /// Years outside 0 to 9999 are written with a sign and at least six digits, as the standard's expanded form asks.
    ///
    /// - Parameters:
    ///   - seconds: Whole seconds since 1970, rounded down.
    ///   - fraction: The part of the second, in units of ten to the minus `digits`.
    ///   - digits: How many fraction digits to write, from 0 to 9.
    ///   - bytes: The text that grows.
    public static func append(seconds: Int64, fraction: UInt32, digits: Int, to bytes: inout [UInt8]) {
        let days = seconds.floorDivided(by: 86_400)
        let secondOfDay = Int(seconds.floorRemainder(by: 86_400))
        let (year, month, day) = civil(days: days)

        if (0...9999).contains(year) {
            appendPadded(UInt64(year), width: 4, to: &bytes)
        } else {
            bytes.append(year < 0 ? 0x2D : 0x2B)
            appendPadded(year.magnitude, width: 6, to: &bytes)
        }
        bytes.append(0x2D)
        appendPadded(UInt64(month), width: 2, to: &bytes)
        bytes.append(0x2D)
        appendPadded(UInt64(day), width: 2, to: &bytes)
        bytes.append(0x54)
        appendPadded(UInt64(secondOfDay / 3600), width: 2, to: &bytes)
        bytes.append(0x3A)
        appendPadded(UInt64(secondOfDay / 60 % 60), width: 2, to: &bytes)
        bytes.append(0x3A)
        appendPadded(UInt64(secondOfDay % 60), width: 2, to: &bytes)
        if digits > 0 {
            bytes.append(0x2E)
            appendPadded(UInt64(fraction), width: digits, to: &bytes)
        }
        bytes.append(0x5A)
    }

    /// Returns the microseconds since 1970 of `YYYY-MM-DDThh:mm:ss[.f…]Z`, or nil when the text has another form.
    ///
    /// A day that does not exist, such as 30 February, is another form. A leap second, which RFC 3339 allows as `23:59:60` on
    /// 30 June and 31 December, is taken as the first second of the next day, as the clocks of systems do; whether there was one
    /// on that day is not checked.
    public static func microseconds(of text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == 0x5A else { return nil }
        guard bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A, bytes[16] == 0x3A else {
            return nil
        }
        guard
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            (1...12).contains(month), (1...dayCount(ofMonth: month, year: year)).contains(day), hour < 24, minute < 60,
            second < 60 || second == 60 && isLeapSecond(month, day, hour, minute)
        else { return nil }
        var fraction: Int64 = 0
        if bytes.count > 20 {
            let digits = bytes[20..<(bytes.count - 1)]
            guard bytes[19] == 0x2E, !digits.isEmpty, digits.count <= 9 else { return nil }
            guard let value = number(digits) else { return nil }
            fraction = digits.count <= 6 ? value * power(6 - digits.count) : value / power(digits.count - 6)
        } else if bytes.count != 20 {
            return nil
        }
        let seconds = dayNumber(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
        return seconds * 1_000_000 + fraction
    }

    private static func dayCount(ofMonth month: Int64, year: Int64) -> Int64 {
        let (nextYear, nextMonth) = month == 12 ? (year + 1, 1) : (year, month + 1)
        return dayNumber(year: nextYear, month: nextMonth, day: 1) - dayNumber(year: year, month: month, day: 1)
    }

    /// Returns whether the second after the sixtieth of a minute may be a leap second.
    private static func isLeapSecond(_ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64) -> Bool {
        hour == 23 && minute == 59 && (month == 6 && day == 30 || month == 12 && day == 31)
    }

    /// Returns the days from 1970-01-01 to a date.
    public static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.floorDivided(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the date that lies the given days after 1970-01-01.
    public static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func appendPadded(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
        var digits = 1
        var rest = number
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        let count = max(width, digits)
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0x30, count: count))
        rest = number
        var index = start + count - 1
        while rest > 0 {
            bytes[index] = 0x30 + UInt8(rest % 10)
            rest /= 10
            index -= 1
        }
    }

    private static func number(_ digits: some Sequence<UInt8>) -> Int64? {
        var result: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            result = result * 10 + Int64(digit - 0x30)
        }
        return result
    }

    private static func power(_ exponent: Int) -> Int64 {
        (0..<exponent).reduce(1) { product, _ in product * 10 }
    }
}

extension Int64 {
    /// Divides and rounds towards negative infinity.
    @inlinable
    public func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    /// Returns the non-negative rest of ``floorDivided(by:)``.
    @inlinable
    public func floorRemainder(by divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
