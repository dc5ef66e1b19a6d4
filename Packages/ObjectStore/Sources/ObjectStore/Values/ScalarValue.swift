import CSQLite
public import EventModel

/// A type of a single value that is kept in one column; not meant for programs to conform to.
public protocol _ScalarValue: _Persistable, _OptionalPersistable, _OptionalElement {
    /// The type that the column has.
    static var _kind: PropertyShape.Kind { get }
    /// Reads the value from a slot that is not null.
    static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> Self
    /// Reads the value from a column; nil for NULL or for a raw value that the type does not have.
    static func _decode(column: Int32, of statement: OpaquePointer) -> Self?
    /// Binds the value.
    func _bind(to statement: OpaquePointer, at index: Int32)
    /// Converts a value of any type, such as one from JSON; nil when the rules do not allow it.
    static func _converted(_ value: Any) -> Self?
    /// The integer that is bound; nil for types that are kept as something else.
    var _integer: Int64? { get }
}

extension _ScalarValue {
    /// What the store keeps for a property of this type.
    public static var _propertyType: _PropertyType { _PropertyType(kind: _kind) }
    /// What the store keeps for a property of the optional type.
    public static var _optionalPropertyType: _PropertyType { _PropertyType(kind: _kind, isOptional: true) }
    /// None: most types are kept as something else.
    public var _integer: Int64? { nil }

    /// Reads the value of a managed object.
    @inlinable
    @inline(__always)
    public static func _read(_ core: ObjectCore, _ slot: Int) -> Self {
        _decode(core.snapshot, slot)
    }

    /// Reads the value, or nil, of a managed object.
    @inlinable
    @inline(__always)
    public static func _readOptional(_ core: ObjectCore, _ slot: Int) -> Self? {
        core.snapshot.isNull(slot) ? nil : _decode(core.snapshot, slot)
    }

    /// Writes the value of a managed object.
    public static func _assign(_ value: Self, _ core: ObjectCore, _ slot: Int) {
        core.assignScalar(slot) { statement, index in value._bind(to: statement, at: index) }
    }

    /// Writes the value, or nil, of a managed object.
    public static func _assignOptional(_ value: Self?, _ core: ObjectCore, _ slot: Int) {
        core.assignScalar(slot) { statement, index in
            if let value {
                value._bind(to: statement, at: index)
            } else {
                bindNull(statement, index)
            }
        }
    }
}

func bindNull(_ statement: OpaquePointer, _ index: Int32) {
    sqlite3_bind_null(statement, index)
}

/// Whether a value of any type is null, also when an optional or an `NSNull` hides it.
func isNull(_ value: Any) -> Bool {
    unwrapped(value) == nil
}
