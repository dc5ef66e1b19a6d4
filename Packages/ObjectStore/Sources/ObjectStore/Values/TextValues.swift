import CSQLite
public import EventModel
public import Foundation

extension String: _ScalarValue, _PrimaryKey, _Indexable {
    /// Stored as it is.
    public typealias PersistedType = String
    /// Text.
    public static var _kind: PropertyShape.Kind { .string }
    /// No characters.
    @inlinable
    public static func _defaultValue() -> String { "" }
    /// Reads the slot.
    @inlinable
    @inline(__always)
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> String { snapshot.string(slot) }
    /// Reads the slot of a managed object.
    @inlinable
    @inline(__always)
    public static func _read(_ core: ObjectCore, _ slot: Int) -> String { core.text(slot) }
    /// Reads the column.
    public static func _decode(column: Int32, of statement: OpaquePointer) -> String? {
        guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
        return columnText(statement, column)
    }
    /// Binds the text.
    @inline(__always)
    public func _bind(to statement: OpaquePointer, at index: Int32) { bindText(self, statement, index) }
    /// The bytes.
    public var _identity: _TextIdentity { _TextIdentity(self) }
    /// Accepts text only.
    public static func _converted(_ value: Any) -> String? {
        exactly(String.self, value) ?? (unwrapped(value) as? String)
    }
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}

extension Data: _ScalarValue {
    /// Stored as it is.
    public typealias PersistedType = Data
    /// Raw bytes.
    public static var _kind: PropertyShape.Kind { .data }
    /// No bytes.
    public static func _defaultValue() -> Data { Data() }
    /// Copies the bytes of the slot.
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> Data { Data(snapshot.bytes(slot)) }
    /// Copies the bytes of the column.
    public static func _decode(column: Int32, of statement: OpaquePointer) -> Data? {
        guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
        return Data(columnBytes(statement, column))
    }
    /// Binds the bytes.
    public func _bind(to statement: OpaquePointer, at index: Int32) {
        withUnsafeBytes { bindBytes($0, statement, index) }
    }
    /// Accepts data only: it is never inferred from text.
    public static func _converted(_ value: Any) -> Data? {
        exactly(Data.self, value) ?? (unwrapped(value) as? Data)
    }
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}

extension Date: _ScalarValue, _Indexable, MinMaxType {
    /// Stored as it is.
    public typealias PersistedType = Date
    /// An instant.
    public static var _kind: PropertyShape.Kind { .date }
    /// True: the default is the moment of the first read.
    @inlinable
    public static var _keepsDefault: Bool { true }
    /// Now.
    public static func _defaultValue() -> Date {
        // LIVE: the default of a property of this type is the time of its first read, by Realm's rules.
        Date()
    }
    /// Reads the slot.
    @inlinable
    @inline(__always)
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> Date { snapshot.date(slot) }
    /// Reads the column.
    public static func _decode(column: Int32, of statement: OpaquePointer) -> Date? {
        columnNumber(statement, column).map { Date(timeIntervalSinceReferenceDate: $0) }
    }
    /// Binds the seconds since 2001.
    @inline(__always)
    public func _bind(to statement: OpaquePointer, at index: Int32) {
        bindNumber(timeIntervalSinceReferenceDate, statement, index)
    }
    /// Accepts dates only: they are never inferred from text or numbers.
    public static func _converted(_ value: Any) -> Date? {
        exactly(Date.self, value) ?? (unwrapped(value) as? Date)
    }
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}
