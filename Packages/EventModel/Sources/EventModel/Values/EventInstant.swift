/// An instant of the wall clock, in microseconds since 1970-01-01T00:00:00Z.
@frozen
public struct EventInstant: Sendable, Hashable, Codable {
    /// Microseconds since 1970, negative before.
    public let microseconds: Int64

    /// Creates an instant from microseconds since 1970.
    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Reads the text that ``description`` writes, with one to nine fraction digits or none.
    ///
    /// A leap second of 30 June or 31 December, `23:59:60`, is the first second of the next day.
    ///
    /// - Returns: nil when the text is not of the form `YYYY-MM-DDThh:mm:ss[.ffffff]Z`, or its day or time does not exist.
    public init?(_ text: String) {
        guard let parsed = ISO8601.microseconds(of: text) else { return nil }
        microseconds = parsed
    }

    /// Encodes the microseconds as one integer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }

    /// Decodes the microseconds from one integer.
    public init(from decoder: any Decoder) throws {
        microseconds = try decoder.singleValueContainer().decode(Int64.self)
    }
}

extension EventInstant: Comparable {
    /// Compares by time.
    @inlinable
    public static func < (left: EventInstant, right: EventInstant) -> Bool {
        left.microseconds < right.microseconds
    }
}

extension EventInstant {
    /// Reads an instant that was written as its ``description``, for people, and not as a number.
    ///
    /// - Throws: `DecodingError` when the field is missing or anything else.
    public init<Key: CodingKey>(text key: Key, in container: KeyedDecodingContainer<Key>) throws {
        guard let instant = Self(try container.decode(String.self, forKey: key)) else {
            let reason = "A time is in ISO 8601."
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: reason)
        }
        self = instant
    }
}

extension EventInstant: CustomStringConvertible {
    /// The instant in ISO 8601, UTC, with six fraction digits.
    public var description: String {
        var bytes: [UInt8] = []
        ISO8601.append(
            seconds: microseconds.floorDivided(by: 1_000_000),
            fraction: UInt32(microseconds.floorRemainder(by: 1_000_000)),
            digits: 6,
            to: &bytes
        )
        return String(decoding: bytes, as: UTF8.self)
    }
}
