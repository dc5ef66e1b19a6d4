/// A type that is persisted as itself or as another one: an enumeration as its raw value.
public protocol _HasPersistedType: SendableMetatype {
    /// The type that is stored.
    associatedtype PersistedType
}

/// A type that a persisted property may have.
///
/// The types of the library conform; programs conform their own through ``PersistableEnum``, ``CustomPersistable`` and
/// ``FailableCustomPersistable`` only.
/// Members with an underscore are called by ``Persisted`` and not meant for programs.
public protocol _Persistable: _HasPersistedType {
    /// What the store keeps for a property of this type.
    static var _propertyType: _PropertyType { get }
    /// Whether a default value, once made, must stay the value of its object.
    static var _keepsDefault: Bool { get }
    /// Makes the value of a property that was never assigned.
    static func _defaultValue() -> Self
    /// Reads the value from the row that a managed object holds.
    static func _read(_ core: ObjectCore, _ slot: Int) -> Self
    /// Writes the value of a managed object.
    static func _assign(_ value: Self, _ core: ObjectCore, _ slot: Int)
    /// Keeps the value of an unmanaged object.
    static func _store(_ value: Self, in stored: inout Self?)
    /// Reads and writes a property whose type is known at run time only, as for key-value coding, JSON and new rows.
    static var _operations: _PropertyOperations { get }
}

extension _Persistable {
    /// Keeps the value in place of the one before.
    @inlinable
    @inline(__always)
    public static func _store(_ value: Self, in stored: inout Self?) { stored = value }
    /// False: making the default again gives the same value.
    @inlinable
    public static var _keepsDefault: Bool { false }
}

/// A type whose optional a persisted property may have; not meant for programs.
public protocol _OptionalPersistable: _HasPersistedType {
    /// What the store keeps for a property of the optional type.
    static var _optionalPropertyType: _PropertyType { get }
    /// Reads the value, or nil, from the row that a managed object holds.
    static func _readOptional(_ core: ObjectCore, _ slot: Int) -> Self?
    /// Writes the value, or nil, of a managed object.
    static func _assignOptional(_ value: Self?, _ core: ObjectCore, _ slot: Int)
    /// Reads and writes a property of the optional type in the same way.
    static var _optionalOperations: _PropertyOperations { get }
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
    /// The optional of what the value is stored as.
    public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: _Persistable where Wrapped: _OptionalPersistable {
    /// What the store keeps.
    public static var _propertyType: _PropertyType { Wrapped._optionalPropertyType }
    /// Nil.
    @inlinable
    public static func _defaultValue() -> Wrapped? { nil }
    /// Reads the value, or nil.
    @inlinable
    public static func _read(_ core: ObjectCore, _ slot: Int) -> Wrapped? { Wrapped._readOptional(core, slot) }
    /// Writes the value, or nil.
    @inlinable
    public static func _assign(_ value: Wrapped?, _ core: ObjectCore, _ slot: Int) {
        Wrapped._assignOptional(value, core, slot)
    }
    /// Those that the wrapped type has for its optional.
    public static var _operations: _PropertyOperations { Wrapped._optionalOperations }
}

// MARK: - Constraints

/// A type that may be a primary key.
public protocol _PrimaryKey {}
/// A type whose property may have an index.
public protocol _Indexable {}
extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}
extension Optional: _Indexable where Wrapped: _Indexable {}

/// A type that `min(ofProperty:)` and `max(ofProperty:)` may return.
public protocol MinMaxType {}
/// A type that `sum(ofProperty:)` and `average(ofProperty:)` may return.
public protocol AddableType {}
