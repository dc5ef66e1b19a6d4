#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One decoded value of a property, of any type that a realm can hold.
public indirect enum Value: Sendable, Hashable {
    /// Nothing is stored.
    case null
    /// A truth value.
    case bool(Bool)
    /// An integer of up to 64 bits.
    case int(Int64)
    /// A number of 32 bits.
    case float(Float)
    /// A number of 64 bits.
    case double(Double)
    /// Text.
    case string(String)
    /// Raw bytes.
    case data([UInt8])
    /// An instant.
    case date(Date)
    /// A 12-byte identifier.
    case objectId(ObjectId)
    /// A 16-byte identifier.
    case uuid(UUID)
    /// A decimal number of 34 digits.
    case decimal128(Decimal128)
    /// A link to another object.
    case link(ObjectReference)
    /// The elements of a list or set, in stored order.
    case list([Value])
    /// The entries of a map.
    case dictionary([String: Value])
    /// An embedded object.
    case object(ObjectSnapshot)
}

/// Names one object of a realm: its class, its row and, when captured, its primary key.
public struct ObjectReference: Sendable, Hashable {
    /// The name of the class as stored.
    public let className: String
    /// The row of the object, unique within its class for the life of the file.
    public let key: Int64
    /// The value of the primary key; `.null` when the class has none or the key was not captured.
    public let primaryKey: Value

    /// Creates a reference.
    public init(className: String, key: Int64, primaryKey: Value = .null) {
        self.className = className
        self.key = key
        self.primaryKey = primaryKey
    }
}
