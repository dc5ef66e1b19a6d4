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
    /// Whether a value has the type that is stored but stands for none of this one, which an optional property takes as nil.
    static func _refuses(_ value: Any) -> Bool
    /// Reads what is stored, as a ``DynamicObject`` gives it; nil for null.
    static func _stored(_ core: ObjectCore, _ slot: Int) -> Any?
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
    /// False: most types refuse only what is stored as another type.
    public static func _refuses(_ value: Any) -> Bool { false }
    /// Reads the slot; an integer that the type has no room for, as one from before a migration, as `Int`.
    public static func _stored(_ core: ObjectCore, _ slot: Int) -> Any? {
        guard let value = _readOptional(core, slot) else { return nil }
        guard let integer = value._integer, integer != core.snapshot.int(slot) else { return value }
        return Int(core.snapshot.int(slot))
    }

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
