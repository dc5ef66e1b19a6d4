package import EventModel

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A value as a file of the original has it.
///
/// ```swift
/// if case .string(let name) = try batch.value(property: 0, at: row) { print(name) }
/// ```
package enum OriginalValue: Sendable, Hashable {
    /// Nothing.
    case null
    /// A whole number.
    case int(Int64)
    /// A truth value.
    case bool(Bool)
    /// A number of 32 bits.
    case float(Float)
    /// A number of 64 bits.
    case double(Double)
    /// Text.
    case string(String)
    /// Bytes.
    case data([UInt8])
    /// Seconds since 1970, and nanoseconds of the same sign.
    case date(seconds: Int64, nanoseconds: Int64)
    /// A date as Swift has it, in seconds since 2001; no file has one.
    case instant(Double)
    /// A decimal number, widened to 128 bits.
    case decimal(Decimal128)
    /// An id of twelve bytes.
    case objectId(ObjectId)
    /// An id of sixteen bytes.
    case uuid(UUID)
    /// An object: the index of its class, and its key in there.
    case link(class: Int, key: Int64)
    /// A list inside a value of any type.
    case list([OriginalValue])
    /// A dictionary inside a value of any type, in no order.
    case dictionary([OriginalEntry])

    /// The seconds since 2001 of a date, as precise as Swift's dates are.
    package static func interval(_ seconds: Int64, _ nanoseconds: Int64) -> Double {
        // Between both epochs lie 31 years; a date so far that this runs over has no fraction that could be lost.
        let (since, isFar) = seconds.subtractingReportingOverflow(978_307_200)
        return (isFar ? Double(seconds) : Double(since)) + Double(nanoseconds) / 1e9
    }
}

/// An entry of a dictionary.
package struct OriginalEntry: Sendable, Hashable {
    /// Its key.
    package let key: String
    /// What the key leads to.
    package let value: OriginalValue

    /// Makes an entry.
    package init(key: String, value: OriginalValue) {
        self.key = key
        self.value = value
    }
}
