public import EventModel

/// A type that a ``List`` may hold: a scalar, an optional scalar, an object or an embedded object.
public protocol RealmCollectionValue: Hashable, SendableMetatype {
    /// What the store keeps for an element.
    static var _elementType: _PropertyType { get }
    /// Reads an element that is not an object from a column.
    static func _element(column: Int32, of statement: OpaquePointer) -> Self
    /// Makes the accessor of an element that is an object of a collection property.
    static func _element(_ row: ObjectSnapshot, of owner: ObjectCore, slot: Int) -> Self
    /// Binds an element that is not an object.
    func _bindElement(to statement: OpaquePointer, at index: Int32)
    /// Converts a value of any type; nil when the rules do not allow it.
    static func _convertedElement(_ value: Any) -> Self?
}

extension RealmCollectionValue {
    /// Traps: only objects are made of rows.
    public static func _element(_ row: ObjectSnapshot, of owner: ObjectCore, slot: Int) -> Self {
        misuse("A collection of '\(Self.self)' holds no objects.")
    }
}

extension _ScalarValue {
    /// What the store keeps for an element.
    public static var _elementType: _PropertyType { _propertyType }
    /// Reads an element; one that cannot be decoded is the type's default.
    public static func _element(column: Int32, of statement: OpaquePointer) -> Self {
        _decode(column: column, of: statement) ?? _defaultValue()
    }
    /// Binds an element.
    public func _bindElement(to statement: OpaquePointer, at index: Int32) { _bind(to: statement, at: index) }
    /// Converts a value of any type.
    public static func _convertedElement(_ value: Any) -> Self? { _converted(value) }
}

extension Optional: RealmCollectionValue where Wrapped: _ScalarValue {
    /// What the store keeps for an element.
    public static var _elementType: _PropertyType { Wrapped._optionalPropertyType }
    /// Reads an element or nil.
    public static func _element(column: Int32, of statement: OpaquePointer) -> Wrapped? {
        Wrapped._decode(column: column, of: statement)
    }
    /// Binds an element or NULL.
    public func _bindElement(to statement: OpaquePointer, at index: Int32) {
        if let self { self._bind(to: statement, at: index) } else { bindNull(statement, index) }
    }
    /// Converts a value of any type; null becomes nil.
    public static func _convertedElement(_ value: Any) -> Wrapped?? {
        if isNull(value) { return .some(nil) }
        return Wrapped._converted(value).map { .some($0) }
    }
}

extension RealmCollectionValue where Self: ObjectBase & _OptionalPersistable {
    /// What the store keeps for an element.
    public static var _elementType: _PropertyType {
        _PropertyType(kind: _optionalPropertyType.kind, target: self)
    }
    /// Traps: objects are made of rows.
    public static func _element(column: Int32, of statement: OpaquePointer) -> Self {
        misuse("A collection of '\(Self.self)' holds objects.")
    }
    /// Makes the accessor of an element.
    public static func _element(_ row: ObjectSnapshot, of owner: ObjectCore, slot: Int) -> Self {
        let realm = owner.confinedRealm
        let table = realm.requireTable(Self.self)
        return realm.object(Self.self, table, row, parent: table.schema.isEmbedded ? owner : nil)
    }
    /// Traps: objects are stored by their row.
    public func _bindElement(to statement: OpaquePointer, at index: Int32) {
        misuse("A collection of '\(Self.self)' holds objects.")
    }
    /// Accepts an object of the class.
    public static func _convertedElement(_ value: Any) -> Self? { value as? Self }
}
