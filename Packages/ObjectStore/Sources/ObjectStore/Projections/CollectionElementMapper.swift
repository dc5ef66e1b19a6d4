/// Makes values of the objects of a collection; what `projectTo` returns, behind which a property of the objects is named.
///
/// ```swift
/// let names: ProjectedCollection<String> = club.members.projectTo.name
/// ```
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase & RealmCollectionValue> {
    let collection: AnyRealmCollection<Element>

    /// The values of a property of the objects.
    public subscript<V: RealmCollectionValue>(dynamicMember keyPath: KeyPath<Element, V>) -> ProjectedCollection<V> {
        let collection = collection
        let mapping = MappedCollection<Element, V>
            .Mapping({ $0[keyPath: keyPath] }, { Element._names(of: keyPath) })
        return ProjectedCollection(MappedCollection(mapping) { collection })
    }
}

extension RealmCollection where Element: ObjectBase {
    /// The objects as values of one of their properties, for ``Projected``.
    public var projectTo: CollectionElementMapper<Element> {
        CollectionElementMapper(collection: AnyRealmCollection(self))
    }
}

/// Makes values of the objects of a map; what `projectTo` of a ``Map`` returns.
///
/// ```swift
/// let names: ProjectedCollection<String?> = kennel.dogsByName.projectTo.name
/// ```
@dynamicMemberLookup
public struct MapElementMapper<Key: _MapKey, Value: RealmCollectionValue & OptionalProtocol>
where Value.Wrapped: ObjectBase {
    let map: Map<Key, Value>

    /// The values of a property of the objects in the order of the keys; nil where a key has no object.
    public subscript<V: _OptionalElement>(
        dynamicMember keyPath: KeyPath<Value.Wrapped, V>
    ) -> ProjectedCollection<V?> {
        let map = map
        let mapping = MappedCollection<Value, V?>
            .Mapping(
                { ($0 as? Value.Wrapped).map { $0[keyPath: keyPath] } },
                { Value.Wrapped._names(of: keyPath) }
            )
        return ProjectedCollection(MappedCollection(mapping) { AnyRealmCollection(map._results) })
    }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// The objects as values of one of their properties, for ``Projected``.
    public var projectTo: MapElementMapper<Key, Value> { MapElementMapper(map: self) }
}
