public import EventModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The value of one cell: what a property, element, member or entry holds.
///
/// Two values are equal when their bytes are: text by UTF-8, numbers with a fraction by their bits, so that NaN equals
/// itself.
public enum CellValue: Sendable {
    /// Nothing.
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
    case string(ExactText)
    /// Raw bytes.
    case data([UInt8])
    /// An instant, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// A 12-byte identifier.
    case objectId(ObjectId)
    /// A 16-byte identifier.
    case uuid(UUID)
    /// A decimal number of 34 digits.
    case decimal128(Decimal128)
    /// A link to an object, whether it exists or not.
    case link(ObjectAddress)
    /// A link that a cell of any type holds.
    ///
    /// When its target is deleted it is null, also in a list: the element stays, as that of a list of objects does not.
    case anyLink(ObjectAddress)
    /// An embedded object or nested collection, whose contents are cells of their own.
    case life(Life)
}

extension CellValue {
    /// The object that is linked to; nil for every other value.
    public var target: ObjectAddress? {
        switch self {
        case .link(let target), .anyLink(let target): target
        default: nil
        }
    }

    /// Whether it is a link of a cell of any type.
    public var isOfAnyType: Bool {
        if case .anyLink = self { true } else { false }
    }

    /// The life that is held; nil for every other value.
    public var life: Life? {
        if case .life(let life) = self { life } else { nil }
    }
}

// MARK: - Equality

extension CellValue: Hashable {
    /// Compares the bytes.
    ///
    /// - Complexity: O(*n*) in the bytes of a text.
    public static func == (left: CellValue, right: CellValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.date(let left), .date(let right)): left.bitPattern == right.bitPattern
        case (.objectId(let left), .objectId(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.decimal128(let left), .decimal128(let right)): left.high == right.high && left.low == right.low
        case (.link(let left), .link(let right)), (.anyLink(let left), .anyLink(let right)): left == right
        case (.life(let left), .life(let right)): left == right
        default: false
        }
    }

    /// Feeds the bytes to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tag)
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value.bitPattern)
        case .double(let value), .date(let value): hasher.combine(value.bitPattern)
        case .string(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .objectId(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .decimal128(let value):
            hasher.combine(value.high)
            hasher.combine(value.low)
        case .link(let value), .anyLink(let value): hasher.combine(value)
        case .life(let value): hasher.combine(value)
        }
    }
}
