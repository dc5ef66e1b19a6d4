public import EventModel

/// A collection that a persisted property may be of; not meant for programs.
///
/// The property keeps one collection object for the life of its object: assigning replaces the contents.
public protocol _CollectionProperty: AnyObject, _Persistable where PersistedType == Self {
    /// Creates an empty unmanaged collection.
    init()
    /// Creates the collection of a managed object.
    init(_core: ObjectCore, _ slot: Int)
    /// The kind of collection.
    static var _collection: PropertyShape.Collection { get }
    /// What the store keeps for an element.
    static var _valueType: _PropertyType { get }
    /// Replaces the contents by those of another collection, which may be the same one.
    func _replaceContents(with other: Self)
}

extension _CollectionProperty {
    /// What the store keeps.
    public static var _propertyType: _PropertyType {
        let value = _valueType
        return _PropertyType(
            kind: value.kind,
            collection: _collection,
            isOptional: value.isOptional,
            target: value.target
        )
    }
    /// True: the collection of an object stays the same instance.
    public static var _keepsDefault: Bool { true }
    /// An empty collection.
    public static func _defaultValue() -> Self { Self() }
    /// The collection of a managed object, always the same instance.
    public static func _read(_ core: ObjectCore, _ slot: Int) -> Self {
        core.collection(slot) { Self(_core: core, slot) }
    }
    /// Replaces the contents.
    public static func _assign(_ value: Self, _ core: ObjectCore, _ slot: Int) {
        _read(core, slot)._replaceContents(with: value)
    }
    /// Replaces the contents of the collection of an unmanaged object.
    public static func _store(_ value: Self, in stored: inout Self?) {
        let collection = stored ?? Self()
        stored = collection
        collection._replaceContents(with: value)
    }
}

extension _CollectionProperty where Self: PersistedCollection {
    /// Those that hand out the collection of an object, which reads and writes its own table.
    static var collectionOperations: _PropertyOperations {
        let operations = CollectionOperations(
            stored: { field in
                let wrapper = field.assumingMemoryBound(to: Persisted<Self>.self)
                if let collection = wrapper.pointee.stored { return collection }
                let collection = Self()
                wrapper.pointee.stored = collection
                return collection
            },
            managed: { core, slot in _read(core, slot) }
        )
        return _PropertyOperations(role: .collection(operations)) { core, slot in _read(core, slot) }
    }

    /// Takes an unmanaged collection over as the one of a property; see ``PersistedCollection/attach(to:_:)``.
    func canAttach(to core: ObjectCore, _ slot: Int) -> Bool {
        owner == nil && core.collection(slot) { self } === self
    }
}
