import CSQLite
public import EventModel

extension Double: _ScalarValue, MinMaxType, AddableType {
    /// Stored as it is.
    public typealias PersistedType = Double
    /// A number of 64 bits.
    public static var _kind: PropertyShape.Kind { .double }
    /// Zero.
    @inlinable
    public static func _defaultValue() -> Double { 0 }
    /// Reads the value of a managed object.
    @inlinable
    @inline(__always)
    public static func _read(_ core: ObjectCore, _ slot: Int) -> Double { core.word(slot, as: Double.self) }
    /// Reads the slot.
    @inlinable
    @inline(__always)
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> Double { snapshot.double(slot) }
    /// Reads the column.
    public static func _decode(column: Int32, of statement: OpaquePointer) -> Double? {
        columnNumber(statement, column)
    }
    /// Binds the number.
    @inline(__always)
    public func _bind(to statement: OpaquePointer, at index: Int32) {
        bindNumber(self, statement, index)
    }
    /// Accepts every number, no truth value.
    public static func _converted(_ value: Any) -> Double? {
        if let same = exactly(Double.self, value) { return same }
        return switch unwrapped(value).flatMap(DynamicNumber.init) {
        case .double(let number): number
        case .float(let number): Double(number)
        case .int(let number): Double(number)
        case .large(let number): Double(number)
        case .decimal(let number): number.doubleValue
        case .bool, nil: nil
        }
    }
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}

extension Float: _ScalarValue, MinMaxType, AddableType {
    /// Stored as it is.
    public typealias PersistedType = Float
    /// A number of 32 bits.
    public static var _kind: PropertyShape.Kind { .float }
    /// Zero.
    @inlinable
    public static func _defaultValue() -> Float { 0 }
    /// Reads the value of a managed object.
    @inlinable
    @inline(__always)
    public static func _read(_ core: ObjectCore, _ slot: Int) -> Float { core.word(slot, as: Float.self) }
    /// Reads the slot.
    @inlinable
    @inline(__always)
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> Float { snapshot.float(slot) }
    /// Reads the column.
    public static func _decode(column: Int32, of statement: OpaquePointer) -> Float? {
        columnNumber(statement, column).map { Float($0) }
    }
    /// Binds the number, widened.
    @inline(__always)
    public func _bind(to statement: OpaquePointer, at index: Int32) {
        bindNumber(Double(self), statement, index)
    }
    /// Accepts every number whose size a float can have, no truth value.
    public static func _converted(_ value: Any) -> Float? {
        if let same = exactly(Float.self, value) { return same }
        guard let number = Double._converted(value) else { return nil }
        guard number.isNaN || number.isInfinite || abs(number) <= Double(Float.greatestFiniteMagnitude) else {
            return nil
        }
        return Float(number)
    }
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}

/// Binds a number; SQLite would store NaN as NULL, so it is stored as one byte instead.
@inline(__always)
func bindNumber(_ value: Double, _ statement: OpaquePointer, _ index: Int32) {
    if value.isNaN {
        withUnsafeBytes(of: UInt8(0)) { bindBytes($0, statement, index) }
    } else {
        sqlite3_bind_double(statement, index, value)
    }
}

/// Reads a number that ``bindNumber`` stored.
@inline(__always)
func columnNumber(_ statement: OpaquePointer, _ column: Int32) -> Double? {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: nil
    case SQLITE_BLOB: .nan
    default: sqlite3_column_double(statement, column)
    }
}
