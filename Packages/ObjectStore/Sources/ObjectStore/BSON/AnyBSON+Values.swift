public import EventModel
public import Foundation

extension AnyBSON {
    /// The value as one of the types of BSON; nil when it has another one.
    public func value<T: BSON>() -> T? {
        switch self {
        case .int32(let value): T.self == Int.self ? Int(value) as? T : value as? T
        case .int64(let value): T.self == Int.self ? Int(value) as? T : value as? T
        case .bool(let value): value as? T
        case .double(let value): value as? T
        case .string(let value): value as? T
        case .binary(let value): value as? T
        case .timestamp(let value), .datetime(let value): value as? T
        case .decimal128(let value): value as? T
        case .objectId(let value): value as? T
        case .regex(let value): value as? T
        case .maxKey: MaxKey() as? T
        case .minKey: MinKey() as? T
        case .document(let value): value as? T
        case .array(let value): value as? T
        case .uuid(let value): value as? T
        case .null: nil
        }
    }

    /// The integer of 32 bits; nil for every other case.
    public var int32Value: Int32? { if case .int32(let value) = self { value } else { nil } }
    /// The integer of 64 bits; nil for every other case.
    public var int64Value: Int64? { if case .int64(let value) = self { value } else { nil } }
    /// The number with a fraction; nil for every other case.
    public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
    /// The decimal; nil for every other case.
    public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }
    /// The text; nil for every other case.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The truth value; nil for every other case.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The bytes; nil for every other case.
    public var binaryValue: Data? { if case .binary(let value) = self { value } else { nil } }
    /// The instant; nil for every other case.
    public var dateValue: Date? { if case .datetime(let value) = self { value } else { nil } }
    /// The instant of a timestamp; nil for every other case.
    public var timestampValue: Date? { if case .timestamp(let value) = self { value } else { nil } }
    /// The id of twelve bytes; nil for every other case.
    public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
    /// The id of sixteen bytes; nil for every other case.
    public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
    /// The regular expression; nil for every other case.
    public var regexValue: NSRegularExpression? { if case .regex(let value) = self { value } else { nil } }
    /// The values in order; nil for every other case.
    public var arrayValue: [AnyBSON?]? { if case .array(let value) = self { value } else { nil } }
    /// The values by their names; nil for every other case.
    public var documentValue: Document? { if case .document(let value) = self { value } else { nil } }
    /// Whether there is no value.
    public var isNull: Bool { self == .null }
}

// MARK: - Numbers

extension AnyBSON {
    /// The number as an integer; nil for what is no whole number, or does not fit.
    public func asInt() -> Int? { integer() }
    /// The number as an integer of 32 bits; nil for what is no whole number, or does not fit.
    public func asInt32() -> Int32? { integer() }
    /// The number as an integer of 64 bits; nil for what is no whole number, or does not fit.
    public func asInt64() -> Int64? { integer() }

    /// The number with a fraction, rounded where it has more digits; nil for what is no number.
    public func asDouble() -> Double? {
        switch self {
        case .double(let value): value
        case .int32(let value): Double(value)
        case .int64(let value): Double(value)
        case .decimal128(let value): value.doubleValue
        default: nil
        }
    }

    /// The number as a decimal; nil for what is no number.
    public func asDecimal128() -> Decimal128? {
        switch self {
        case .decimal128(let value): value
        case .int32(let value): Decimal128(value)
        case .int64(let value): Decimal128(value)
        case .double(let value): Decimal128(value)
        default: nil
        }
    }

    private func integer<T: FixedWidthInteger>() -> T? {
        switch self {
        case .int32(let value): T(exactly: value)
        case .int64(let value): T(exactly: value)
        case .double(let value): T(exactly: value)
        case .decimal128(let value): value.int64Value.flatMap { T(exactly: $0) }
        default: nil
        }
    }
}
