/// The class that models derive from.
open class Object: ObjectBase {
    /// Creates an unmanaged object whose properties have their default values.
    public required init() {}

    /// Whether both are managed objects of the same row, also without a primary key.
    public final func isSameObject(as object: Object?) -> Bool {
        guard let core = _core, let other = object?._core else { return self === object }
        return core.isSameRow(as: other)
    }
}

/// The class that models derive from whose objects live inside one parent and are deleted with it.
open class EmbeddedObject: ObjectBase {
    /// Creates an unmanaged object whose properties have their default values.
    public required init() {}

    /// Whether both are managed objects of the same row.
    public final func isSameObject(as object: EmbeddedObject?) -> Bool {
        guard let core = _core, let other = object?._core else { return self === object }
        return core.isSameRow(as: other)
    }
}

/// A type that ``Realm/objects(_:)`` can fetch.
public protocol RealmFetchable: RealmCollectionValue {}

extension Object: _OptionalPersistable, _OptionalElement, RealmFetchable {
    /// Stored as a link to its row.
    public typealias PersistedType = Object
    /// What makes two objects one element of a set.
    public typealias _Identity = _ObjectIdentity
    /// What the store keeps for a link to the class.
    public static var _optionalPropertyType: _PropertyType {
        _PropertyType(kind: .link, isOptional: true, target: self)
    }
}

extension EmbeddedObject: _OptionalPersistable, _OptionalElement {
    /// Stored as a row of its own inside its parent.
    public typealias PersistedType = EmbeddedObject
    /// What makes two objects the same.
    public typealias _Identity = _ObjectIdentity
    /// What the store keeps for an embedded object of the class.
    public static var _optionalPropertyType: _PropertyType {
        _PropertyType(kind: .embedded, isOptional: true, target: self)
    }
}

extension _OptionalPersistable where Self: ObjectBase {
    /// Reads the object that the property refers to.
    public static func _readOptional(_ core: ObjectCore, _ slot: Int) -> Self? {
        core.linked(slot, as: Self.self)
    }
    /// Lets the property refer to an object, which is added to the realm when it is unmanaged.
    public static func _assignOptional(_ value: Self?, _ core: ObjectCore, _ slot: Int) {
        core.assignLink(slot, value)
    }
    /// Those of a link, whose column holds the key of the row.
    public static var _optionalOperations: _PropertyOperations { .link(Self.self) }
}
