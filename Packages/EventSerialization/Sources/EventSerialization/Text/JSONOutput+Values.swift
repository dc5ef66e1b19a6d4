import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Types that JSON has no word for are texts.
extension JSONOutput {
    /// Appends `YYYY-MM-DDThh:mm:ss.mmmZ`, rounded down to milliseconds; `null` for a date that is no number.
    ///
    /// - Parameter seconds: Seconds since 2001-01-01T00:00:00Z.
    mutating func append(date seconds: Double) {
        let instant = seconds * 1_000_000
        guard instant.isFinite else { return appendNull() }
        // A double of today is exact to a tenth of a microsecond: .123 is stored as .12299999 and must not become .122.
        guard let rounded = Int64(exactly: instant.rounded()), rounded.magnitude < 1 << 62 else {
            return appendDistantDate(seconds)
        }
        let microseconds = rounded + 978_307_200_000_000
        let secondsSince1970 = microseconds.floorDivided(by: 1_000_000)
        let milliseconds = microseconds.floorRemainder(by: 1_000_000) / 1000
        let (year, month, day) = ISO8601.civil(days: secondsSince1970.floorDivided(by: 86_400))
        guard (0...9999).contains(year) else {
            return appendDate(secondsSince1970, fraction: UInt32(milliseconds))
        }
        let second = UInt64(secondsSince1970.floorRemainder(by: 86_400))
        reserve(26)
        write(0x22)
        write(digits: UInt64(year), width: 4)
        write(0x2D)
        write(digits: UInt64(month), width: 2)
        write(0x2D)
        write(digits: UInt64(day), width: 2)
        write(0x54)
        write(digits: second / 3600, width: 2)
        write(0x3A)
        write(digits: second / 60 % 60, width: 2)
        write(0x3A)
        write(digits: second % 60, width: 2)
        write(0x2E)
        write(digits: UInt64(milliseconds), width: 3)
        write(0x5A)
        write(0x22)
    }

    /// More than a hundred thousand years away, a double has whole seconds at best.
    private mutating func appendDistantDate(_ seconds: Double) {
        guard let whole = Int64(exactly: seconds.rounded(.down)), whole.magnitude < 1 << 56 else { return appendNull() }
        appendDate(whole + 978_307_200, fraction: 0)
    }

    private mutating func appendDate(_ secondsSince1970: Int64, fraction: UInt32) {
        var text: [UInt8] = [0x22]
        ISO8601.append(seconds: secondsSince1970, fraction: fraction, digits: 3, to: &text)
        text.append(0x22)
        text.withUnsafeBytes { append($0) }
    }

    /// Appends 24 hexadecimal digits.
    mutating func append(objectId: ObjectId) {
        reserve(26)
        write(0x22)
        objectId.withUnsafeBytes { bytes in
            for byte in bytes { write(hexadecimal: byte) }
        }
        write(0x22)
    }

    /// Appends the lower-case form of RFC 4122.
    mutating func append(uuid: UUID) {
        reserve(38)
        write(0x22)
        withUnsafeBytes(of: uuid.uuid) { bytes in
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 { write(0x2D) }
                write(hexadecimal: bytes[index])
            }
        }
        write(0x22)
    }

    /// Appends the decimal's text.
    mutating func append(decimal128: Decimal128) {
        var text: [UInt8] = [0x22]
        decimal128.appendText(to: &text)
        text.append(0x22)
        text.withUnsafeBytes { append($0) }
    }
}
