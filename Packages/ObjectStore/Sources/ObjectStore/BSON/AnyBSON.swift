public import EventModel
public import Foundation

/// A BSON value of any type.
///
/// ```swift
/// let value: AnyBSON = ["name": "Ada", "born": .datetime(Date(timeIntervalSince1970: 0))]
/// if case .document(let document) = value { print(document.keys) }
/// ```
/// Numbers of different types are different values, as `.int32(1)` and `.double(1)` are; ``asDouble()`` and the like convert.
public enum AnyBSON: BSON, Hashable, Sendable {
    /// A number of 64 bits with a fraction.
    case double(Double)
    /// Text.
    case string(String)
    /// Values by their names.
    case document(Document)
    /// Values in order.
    indirect case array([AnyBSON?])
    /// Raw bytes.
    case binary(Data)
    /// An id of twelve bytes.
    case objectId(ObjectId)
    /// A truth value.
    case bool(Bool)
    /// An instant, in milliseconds.
    case datetime(Date)
    /// A regular expression.
    case regex(NSRegularExpression)
    /// An integer of 32 bits.
    case int32(Int32)
    /// An instant as a database keeps it for itself, in seconds.
    case timestamp(Date)
    /// An integer of 64 bits.
    case int64(Int64)
    /// A decimal number.
    case decimal128(Decimal128)
    /// An id of sixteen bytes.
    case uuid(UUID)
    /// What comes before all other values.
    case minKey
    /// What comes behind all other values.
    case maxKey
    /// No value.
    case null
}

// MARK: - Creating

extension AnyBSON {
    /// Creates the value of an integer: one of 32 bits where it fits.
    public init(_ int: Int) {
        self = Int32(exactly: int).map { .int32($0) } ?? .int64(Int64(int))
    }

    /// Creates the value of one that may be missing, which is null.
    public init<T: BSON>(_ bson: T?) {
        self = bson.map { AnyBSON($0) } ?? .null
    }

    /// Creates the value of one of the types of BSON; one of a program's own type is null.
    public init<T: BSON>(_ bson: T) {
        self =
            switch bson {
            case let value as AnyBSON: value
            case let value as Int: AnyBSON(value)
            case let value as Int32: .int32(value)
            case let value as Int64: .int64(value)
            case let value as Double: .double(value)
            case let value as String: .string(value)
            case let value as Data: .binary(value)
            case let value as Date: .datetime(value)
            case let value as Decimal128: .decimal128(value)
            case let value as UUID: .uuid(value)
            case let value as ObjectId: .objectId(value)
            case let value as Document: .document(value)
            case let value as [AnyBSON?]: .array(value)
            case let value as Bool: .bool(value)
            case is MaxKey: .maxKey
            case is MinKey: .minKey
            case let value as NSRegularExpression: .regex(value)
            default: .null
            }
    }
}

extension AnyBSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral {
    /// Creates text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a number with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension AnyBSON: ExpressibleByIntegerLiteral {
    /// Creates an integer of 64 bits.
    public init(integerLiteral value: Int) { self = .int64(Int64(value)) }
}

extension AnyBSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// Creates a document; of two values of one name the later counts.
    public init(dictionaryLiteral elements: (String, AnyBSON?)...) {
        self = .document(Document(elements) { _, later in later })
    }

    /// Creates an array.
    public init(arrayLiteral elements: AnyBSON?...) { self = .array(elements) }
}
