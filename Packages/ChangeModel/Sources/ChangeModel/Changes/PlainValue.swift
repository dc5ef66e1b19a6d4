public import EventModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value without a link, whose text or data lies in the memory of somebody else: it is written without being copied first.
///
/// It is valid as long as that memory is, such as that of a row until its statement moves on.
public enum PlainValue {
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
    /// Text in UTF-8.
    case text(UnsafeRawBufferPointer)
    /// Raw bytes.
    case data(UnsafeRawBufferPointer)
    /// An instant, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// A 12-byte identifier.
    case objectId(ObjectId)
    /// A 16-byte identifier.
    case uuid(UUID)
    /// A decimal number of 34 digits.
    case decimal128(Decimal128)
}

extension PlainValue {
    /// About how many bytes it is written in: those of a text or of data, and no more than some for everything else.
    public var largeBytes: Int {
        switch self {
        case .text(let bytes), .data(let bytes): bytes.count
        default: 16
        }
    }

    /// The number of the kind in formats, that of the same ``CellValue``.
    var tag: UInt8 {
        switch self {
        case .null: 0
        case .bool(let value): value ? 2 : 1
        case .int: 3
        case .float: 4
        case .double: 5
        case .text: 6
        case .data: 7
        case .date: 8
        case .objectId: 9
        case .uuid: 10
        case .decimal128: 11
        }
    }
}
