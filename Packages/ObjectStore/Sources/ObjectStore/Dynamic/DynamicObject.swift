import EventModel

/// An object of any class, whose properties are read and written by name.
///
/// Migrations hand objects over in this form, because the classes of the old schema may not exist any more;
/// ``Realm/dynamicObjects(_:)`` does so for tools that learn the classes at run time.
///
/// ```swift
/// let name = object.name as? String
/// object["age"] = 7
/// ```
/// A single value comes as the Swift type that it is declared with, and before a migration as the one that it is declared with after it,
/// where that is stored in the same way: `object["age"] as? Int8` of an `Int8`. Of an enumeration and of another type of the program it is
/// what is stored, such as the raw value. A link comes as a `DynamicObject`, a collection of objects as a collection of those.
@dynamicMemberLookup
public final class DynamicObject: Object {
    /// Reads or writes a property by its name; otherwise as `self[member]`.
    public subscript(dynamicMember member: String) -> Any? {
        get { self[member] }
        set { self[member] = newValue }
    }

    /// The number of the row, which no other object of its class has while this one exists; nil while unmanaged.
    public var rowNumber: Int64? { _core?.key }

    /// False: the class has no properties of its own to store.
    public override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

extension Object {
    /// The list of a property that holds objects, with its elements as dynamic objects.
    ///
    /// - Precondition: The object is managed and has a list of objects of this name.
    public final func dynamicList(_ propertyName: String) -> List<DynamicObject> {
        dynamicCollection(propertyName)
    }

    /// The set of a property that holds objects, with its elements as dynamic objects.
    ///
    /// - Precondition: The object is managed and has a set of objects of this name.
    public final func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
        dynamicCollection(propertyName)
    }

    /// The map of a property that holds objects, with its values as dynamic objects.
    ///
    /// - Precondition: The object is managed and has a map of objects of this name.
    public final func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> {
        dynamicCollection(propertyName)
    }

    private func dynamicCollection<Collection: _CollectionProperty>(_ name: String) -> Collection {
        guard let core = _core else {
            misuse("The collection '\(name)' of an unmanaged object was read as a dynamic one; add the object first.")
        }
        let property = requireProperty(name)
        guard property.type.collection == Collection._collection, property.type.target != nil else {
            misuse("The property '\(core.table.schema.name).\(name)' is not a \(Collection._collection) of objects.")
        }
        core.validate(property.slot)
        // Only a dynamic object has no typed collection of its own, which must not be replaced.
        if self is DynamicObject { return Collection._read(core, property.slot) }
        return Collection(_core: core, property.slot)
    }
}

extension ObjectCore {
    /// The value of a property as a ``DynamicObject`` gives it.
    func dynamicValue(_ property: PersistedProperty) -> Any? {
        guard property.type.target != nil else {
            let read = property.operations.storedValue ?? property.operations.managedValue
            return read(self, property.slot)
        }
        switch property.type.collection {
        case .none: return linked(property.slot, as: DynamicObject.self)
        case .list: return List<DynamicObject>._read(self, property.slot)
        case .set: return MutableSet<DynamicObject>._read(self, property.slot)
        case .dictionary: return Map<String, DynamicObject?>._read(self, property.slot)
        }
    }
}
