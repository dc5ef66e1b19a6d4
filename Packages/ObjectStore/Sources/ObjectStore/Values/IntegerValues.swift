import CSQLite
public import EventModel

/// An integer that is kept in a column of 64 bits.
public protocol _IntegerValue: _ScalarValue, _PrimaryKey, _Indexable, MinMaxType, AddableType, FixedWidthInteger {}

extension _IntegerValue {
    /// An integer.
    public static var _kind: PropertyShape.Kind { .int }
    /// Zero.
    @inlinable
    public static func _defaultValue() -> Self { 0 }
    /// Reads the value of a managed object.
    @inlinable
    @inline(__always)
    public static func _read(_ core: ObjectCore, _ slot: Int) -> Self {
        Self(truncatingIfNeeded: core.word(slot, as: Int64.self))
    }
    /// Reads the slot.
    @inlinable
    @inline(__always)
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> Self {
        Self(truncatingIfNeeded: snapshot.int(slot))
    }
    /// Reads the column.
    @inline(__always)
    public static func _decode(column: Int32, of statement: OpaquePointer) -> Self? {
        guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
        return Self(truncatingIfNeeded: sqlite3_column_int64(statement, column))
    }
    /// Binds 64 bits.
    @inline(__always)
    public func _bind(to statement: OpaquePointer, at index: Int32) {
        sqlite3_bind_int64(statement, index, Int64(truncatingIfNeeded: self))
    }
    /// The integer itself.
    @inline(__always)
    public var _integer: Int64? { Int64(truncatingIfNeeded: self) }
    /// Accepts integers that fit and, as 0 and 1, truth values; no other numbers.
    @inline(__always)
    public static func _converted(_ value: Any) -> Self? {
        if let same = exactly(Self.self, value) { return same }
        return switch unwrapped(value).flatMap(DynamicNumber.init) {
        case .int(let number): Self(exactly: number)
        case .bool(let truth): truth ? 1 : 0
        case .decimal(let number): number.int64Value.flatMap(Self.init(exactly:))
        default: nil
        }
    }
}

extension Int: _IntegerValue {
    /// Stored as it is.
    public typealias PersistedType = Int
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}
extension Int8: _IntegerValue {
    /// Stored as it is.
    public typealias PersistedType = Int8
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}
extension Int16: _IntegerValue {
    /// Stored as it is.
    public typealias PersistedType = Int16
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}
extension Int32: _IntegerValue {
    /// Stored as it is.
    public typealias PersistedType = Int32
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}
extension Int64: _IntegerValue {
    /// Stored as it is.
    public typealias PersistedType = Int64
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}
extension Bool: _ScalarValue, _PrimaryKey, _Indexable {
    /// Stored as it is.
    public typealias PersistedType = Bool
    /// A truth value.
    public static var _kind: PropertyShape.Kind { .bool }
    /// False.
    @inlinable
    public static func _defaultValue() -> Bool { false }
    /// Reads the value of a managed object.
    @inlinable
    @inline(__always)
    public static func _read(_ core: ObjectCore, _ slot: Int) -> Bool { core.word(slot, as: Int64.self) != 0 }
    /// Reads the slot.
    @inlinable
    @inline(__always)
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> Bool { snapshot.bool(slot) }
    /// Reads the column.
    public static func _decode(column: Int32, of statement: OpaquePointer) -> Bool? {
        guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
        return sqlite3_column_int64(statement, column) != 0
    }
    /// Binds 0 or 1.
    @inline(__always)
    public func _bind(to statement: OpaquePointer, at index: Int32) {
        sqlite3_bind_int64(statement, index, self ? 1 : 0)
    }
    /// Accepts truth values and the integers 0 and 1.
    public static func _converted(_ value: Any) -> Bool? {
        if let same = exactly(Bool.self, value) { return same }
        return switch unwrapped(value).flatMap(DynamicNumber.init) {
        case .bool(let truth): truth
        case .int(0): false
        case .int(1): true
        default: nil
        }
    }
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}
