import EventModel
import Foundation

/// Takes optionals and `NSNull` off a value of any type.
///
/// - Returns: nil when the value is null.
func unwrapped(_ value: Any) -> Any? {
    let type = type(of: value)
    // Casts cost far more than comparing types, and these are what nearly every value is.
    if type == String.self || type == NSNumber.self || type == Int.self || type == [String: Any].self { return value }
    if value is NSNull { return nil }
    guard let optional = value as? any AnyOptional else { return value }
    return optional.wrapped.flatMap { unwrapped($0) }
}

private protocol AnyOptional {
    var wrapped: Any? { get }
}

extension Optional: AnyOptional {
    fileprivate var wrapped: Any? { self }
}

/// Returns the value when its type is exactly this one: a comparison of two addresses instead of a dynamic cast.
@inline(__always)
func exactly<T>(_ type: T.Type, _ value: Any) -> T? {
    Swift.type(of: value) == type ? value as? T : nil
}

/// A number of any type, told apart as the conversion rules need it.
///
/// `JSONSerialization` hands over `NSNumber` for numbers and truth values alike, and casts between them succeed
/// in every direction; only the encoded type of the number tells them apart.
enum DynamicNumber {
    case int(Int64)
    /// An integer above `Int64.max`.
    case large(UInt64)
    case bool(Bool)
    case double(Double)
    case float(Float)
    /// A decimal of Foundation: JSON's numbers of more than 17 digits are, and the smallest integer of 64 bits.
    case decimal(Decimal128)

    init?(_ value: Any) {
        if isFoundationNumber(value), let number = value as? NSNumber {
            self.init(number)
            return
        }
        switch value {
        case let value as Int: self = .int(Int64(value))
        case let value as Bool: self = .bool(value)
        case let value as Double: self = .double(value)
        case let value as Float: self = .float(value)
        case let value as Decimal: self.init(decimal: value.description)
        case let value as any BinaryInteger:
            if let small = Int64(exactly: value) {
                self = .int(small)
            } else if let large = UInt64(exactly: value) {
                self = .large(large)
            } else {
                return nil
            }
        case let value as any BinaryFloatingPoint: self = .double(Double(value))
        default: return nil
        }
    }

    private init?(decimal text: String) {
        guard let number = Decimal128(text) else { return nil }
        self = .decimal(number)
    }

    private init?(_ number: NSNumber) {
        if number is NSDecimalNumber {
            self.init(decimal: number.description)
            return
        }
        switch number.objCType.pointee {
        case CChar(bitPattern: UInt8(ascii: "c")), CChar(bitPattern: UInt8(ascii: "B")):
            // Integers of eight bits may have the same type, but only truth values are these two instances.
            self = number === NSNumber(value: number.boolValue) ? .bool(number.boolValue) : .int(number.int64Value)
        case CChar(bitPattern: UInt8(ascii: "d")): self = .double(number.doubleValue)
        case CChar(bitPattern: UInt8(ascii: "f")): self = .float(number.floatValue)
        case CChar(bitPattern: UInt8(ascii: "Q")) where number.uint64Value > UInt64(Int64.max):
            self = .large(number.uint64Value)
        default: self = .int(number.int64Value)
        }
    }
}

/// Whether a value is an `NSNumber`, which casts to every type of number whatever it holds.
@inline(__always)
func isFoundationNumber(_ value: Any) -> Bool {
    type(of: value) == NSNumber.self || type(of: value) is NSNumber.Type
}
