import CSQLite
public import EventModel

extension Decimal128: _ScalarValue {
    /// Stored as it is.
    public typealias PersistedType = Decimal128
    /// A decimal number.
    public static var _kind: PropertyShape.Kind { .decimal128 }
    /// Zero.
    public static func _defaultValue() -> Decimal128 { zero }
    /// Reads the slot.
    @inlinable
    @inline(__always)
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> Decimal128 { snapshot.decimal128(slot) }
    /// Reads the column.
    public static func _decode(column: Int32, of statement: OpaquePointer) -> Decimal128? {
        let bytes = columnBytes(statement, column)
        guard bytes.count == 16 else { return nil }
        return Decimal128(
            high: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
            low: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        )
    }
    /// Binds sixteen bytes, the low half first.
    public func _bind(to statement: OpaquePointer, at index: Int32) {
        Swift.withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { bindBytes($0, statement, index) }
    }
    /// Accepts decimals, numbers and numeric text, no truth values.
    public static func _converted(_ value: Any) -> Decimal128? {
        let value = unwrapped(value)
        if let decimal = value as? Decimal128 { return decimal }
        if let text = value as? String { return Decimal128(text) }
        return switch value.flatMap(DynamicNumber.init) {
        case .int(let number): Decimal128(number)
        case .large(let number): Decimal128(number)
        case .double(let number): Decimal128(number)
        case .float(let number): Decimal128(number)
        case .decimal(let number): number
        case .bool, nil: nil
        }
    }

    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}

extension Decimal128 {
    /// The bytes that a column holds, as hexadecimal digits.
    var storedHexadecimal: String {
        Swift.withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { bytes in
            bytes.map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0\(digits)" : digits
            }
            .joined()
        }
    }
}
