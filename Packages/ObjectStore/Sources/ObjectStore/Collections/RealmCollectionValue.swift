import EventModel

/// A type that a ``List``, a ``MutableSet`` or a ``Map`` may hold: a scalar, an object, or an optional of one.
///
/// The types of the library conform. Members with an underscore are called by the collections.
public protocol RealmCollectionValue: Hashable, SendableMetatype {
    /// What makes two elements of a set the same.
    associatedtype _Identity: Hashable
    /// What makes this element the same as another one in a set.
    var _identity: _Identity { get }
    /// What the store keeps for an element.
    static var _elementType: _PropertyType { get }
    /// Reads an element that is not an object; one of any type has its type in the next column.
    static func _element(column: Int32, of statement: OpaquePointer, in owner: ObjectCore, _ slot: Int) -> Self
    /// Makes the accessor of an element that is an object; a null element has no row.
    static func _element(_ row: _ElementRow?, of owner: ObjectCore, _ slot: Int) -> Self
    /// Makes the accessor of a row, for results.
    static func _object(_ core: ObjectCore) -> Self
    /// Binds an element that is not an object; one of any type binds its type to the next index.
    func _bindElement(to statement: OpaquePointer, at index: Int32)
    /// Converts a value of any type; nil when the rules do not allow it.
    static func _convertedElement(_ value: Any) -> Self?
}

/// A type whose optional a collection may hold; not meant for programs.
public protocol _OptionalElement: RealmCollectionValue {
    /// What the store keeps for an element of the optional type.
    static var _optionalElementType: _PropertyType { get }
    /// Reads an element that is not an object; nil for NULL.
    static func _optionalElement(column: Int32, of statement: OpaquePointer) -> Self?
}

extension RealmCollectionValue {
    /// Traps: only objects are made of rows.
    public static func _object(_ core: ObjectCore) -> Self {
        misuse("A result of '\(Self.self)' holds no objects.")
    }
}

// MARK: - Scalars

extension _ScalarValue {
    /// The value itself.
    public var _identity: _ValueIdentity<Self> { _ValueIdentity(self) }
    /// What the store keeps for an element.
    public static var _elementType: _PropertyType { _propertyType }
    /// What the store keeps for an element of the optional type.
    public static var _optionalElementType: _PropertyType { _optionalPropertyType }
    /// Reads an element; one that cannot be decoded is the type's default.
    public static func _element(column: Int32, of statement: OpaquePointer, in owner: ObjectCore, _ slot: Int) -> Self {
        _decode(column: column, of: statement) ?? _defaultValue()
    }
    /// Traps: only objects are made of rows.
    public static func _element(_ row: _ElementRow?, of owner: ObjectCore, _ slot: Int) -> Self {
        misuse("A collection of '\(Self.self)' holds no objects.")
    }
    /// Reads an element or nil.
    public static func _optionalElement(column: Int32, of statement: OpaquePointer) -> Self? {
        _decode(column: column, of: statement)
    }
    /// Binds an element.
    public func _bindElement(to statement: OpaquePointer, at index: Int32) { _bind(to: statement, at: index) }
    /// Converts a value of any type.
    public static func _convertedElement(_ value: Any) -> Self? { _converted(value) }
}

// MARK: - Optionals

extension Optional: RealmCollectionValue where Wrapped: _OptionalElement {
    /// The identity of the value, or nil.
    public var _identity: Wrapped._Identity? { map(\._identity) }
    /// What the store keeps for an element.
    public static var _elementType: _PropertyType { Wrapped._optionalElementType }
    /// Reads an element or nil.
    public static func _element(
        column: Int32,
        of statement: OpaquePointer,
        in owner: ObjectCore,
        _ slot: Int
    ) -> Wrapped? {
        Wrapped._optionalElement(column: column, of: statement)
    }
    /// Makes the accessor of an element; nil for a null element.
    public static func _element(_ row: _ElementRow?, of owner: ObjectCore, _ slot: Int) -> Wrapped? {
        row.map { Wrapped._element($0, of: owner, slot) }
    }
    /// Makes the accessor of a row.
    public static func _object(_ core: ObjectCore) -> Wrapped? { Wrapped._object(core) }
    /// Binds an element or NULL.
    public func _bindElement(to statement: OpaquePointer, at index: Int32) {
        if let self { self._bindElement(to: statement, at: index) } else { bindNull(statement, index) }
    }
    /// Converts a value of any type; null becomes nil.
    public static func _convertedElement(_ value: Any) -> Wrapped?? {
        if isNull(value) { return .some(nil) }
        return Wrapped._convertedElement(value).map { .some($0) }
    }
}

// MARK: - Objects

/// The row of an element: its key, and what was read of it.
public struct _ElementRow {
    let key: Int64
    /// The row as read; nil when it was not.
    let snapshot: ObjectSnapshot?
    /// The generation of the elements' table that the row was read at.
    let generation: UInt64
}

extension RealmCollectionValue where Self: ObjectBase & _OptionalPersistable {
    /// The row of a managed object, the instance of an unmanaged one.
    public var _identity: _ObjectIdentity { _ObjectIdentity(self) }
    /// What the store keeps for an element.
    public static var _elementType: _PropertyType {
        _PropertyType(kind: _optionalPropertyType.kind, target: self)
    }
    /// What the store keeps for an element of the optional type.
    public static var _optionalElementType: _PropertyType { _optionalPropertyType }
    /// Traps: objects are made of rows.
    public static func _element(column: Int32, of statement: OpaquePointer, in owner: ObjectCore, _ slot: Int) -> Self {
        misuse("A collection of '\(Self.self)' holds objects.")
    }
    /// Traps: objects are made of rows.
    public static func _optionalElement(column: Int32, of statement: OpaquePointer) -> Self? {
        misuse("A collection of '\(Self.self)' holds objects.")
    }
    /// Makes the accessor of an element.
    public static func _element(_ row: _ElementRow?, of owner: ObjectCore, _ slot: Int) -> Self {
        guard let realm = owner.realmReference else { return Self() }
        return realm._withUnsafeGuaranteedRef { made(of: row, of: owner, slot, in: $0) }
    }

    @inline(__always)
    private static func made(of row: _ElementRow?, of owner: ObjectCore, _ slot: Int, in realm: RealmCore) -> Self {
        realm.checkThread()
        guard let row else {
            // Only a damaged file has such an element; the object is one that no realm knows.
            realm.version.unreadable(
                .damaged(
                    realm.store.connection.fileURL,
                    ["A collection of '\(className())' has an element without an object."]
                )
            )
            return Self()
        }
        // What class a dynamic object has, only the property knows.
        let table = realm.requireTable(
            Self.self == DynamicObject.self ? owner.table.schema.properties[slot].type.target ?? self : self
        )
        let parent = table.schema.isEmbedded ? owner : nil
        let object = Self()
        object._core =
            row.snapshot.map {
                ObjectCore(realm: realm, table: table, row: $0, generation: row.generation, parent: parent)
            } ?? ObjectCore(realm: realm, table: table, key: row.key, parent: parent)
        return object
    }
    /// Makes the accessor of a row.
    public static func _object(_ core: ObjectCore) -> Self {
        let object = Self()
        object._core = core
        return object
    }
    /// Traps: objects are stored by their row.
    public func _bindElement(to statement: OpaquePointer, at index: Int32) {
        misuse("A collection of '\(Self.self)' holds objects.")
    }
    /// Accepts an object of the class.
    public static func _convertedElement(_ value: Any) -> Self? { value as? Self }
}
