import CSQLite
public import EventModel
public import Foundation

extension ObjectId: _ScalarValue, _PrimaryKey, _Indexable {
    /// Stored as it is.
    public typealias PersistedType = ObjectId
    /// An id of twelve bytes.
    public static var _kind: PropertyShape.Kind { .objectId }
    /// True: each object gets an id of its own.
    @inlinable
    public static var _keepsDefault: Bool { true }
    /// A new id.
    public static func _defaultValue() -> ObjectId { ObjectId() }
    /// Reads the slot.
    @inlinable
    @inline(__always)
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> ObjectId { snapshot.objectId(slot) }
    /// Reads the column.
    public static func _decode(column: Int32, of statement: OpaquePointer) -> ObjectId? {
        let bytes = columnBytes(statement, column)
        guard bytes.count == 12, let address = bytes.baseAddress else { return nil }
        return ObjectId(loadedFrom: address)
    }
    /// Binds the bytes.
    public func _bind(to statement: OpaquePointer, at index: Int32) {
        withUnsafeBytes { bindBytes($0, statement, index) }
    }
    /// Accepts ids only: they are never inferred from text.
    public static func _converted(_ value: Any) -> ObjectId? {
        exactly(ObjectId.self, value) ?? (unwrapped(value) as? ObjectId)
    }
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}

extension UUID: _ScalarValue, _PrimaryKey, _Indexable {
    /// Stored as it is.
    public typealias PersistedType = UUID
    /// An id of sixteen bytes.
    public static var _kind: PropertyShape.Kind { .uuid }
    /// True: each object gets an id of its own.
    @inlinable
    public static var _keepsDefault: Bool { true }
    /// A new id.
    public static func _defaultValue() -> UUID {
        // LIVE: the default of a property of this type is a random id, by Realm's rules.
        UUID()
    }
    /// Reads the slot.
    @inlinable
    @inline(__always)
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> UUID { snapshot.uuid(slot) }
    /// Reads the column.
    public static func _decode(column: Int32, of statement: OpaquePointer) -> UUID? {
        let bytes = columnBytes(statement, column)
        guard bytes.count == 16 else { return nil }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
    /// Binds the bytes.
    public func _bind(to statement: OpaquePointer, at index: Int32) {
        Swift.withUnsafeBytes(of: uuid) { bindBytes($0, statement, index) }
    }
    /// Accepts UUIDs and their text form.
    public static func _converted(_ value: Any) -> UUID? {
        switch unwrapped(value) {
        case let value as UUID: value
        case let text as String: UUID(uuidString: text)
        default: nil
        }
    }
    /// Specialized for this type, which what all scalars shared would not be.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// Specialized as well; nil is NULL.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}
