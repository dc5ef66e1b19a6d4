public import EventModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that needs no row of another object and no memory of its own: it is written without being copied first.
///
/// Text and data lie in the memory of somebody else, and are valid as long as that is, such as that of a row until its statement moves
/// on. No case holds anything that is counted, so that one is made and written for each column of many rows at no cost.
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
