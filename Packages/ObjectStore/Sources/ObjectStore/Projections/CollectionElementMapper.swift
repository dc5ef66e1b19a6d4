/// Makes values of the objects of a collection; what `projectTo` returns, behind which a property of the objects is named.
///
/// ```swift
/// let names: ProjectedCollection<String> = club.members.projectTo.name
/// ```
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase & RealmCollectionValue> {
    /// Returns the collection: while a key path is only looked at, nothing is read of it.
    let collection: () -> AnyRealmCollection<Element>

    /// The values of a property of the objects.
    public subscript<V: RealmCollectionValue>(dynamicMember keyPath: KeyPath<Element, V>) -> ProjectedCollection<V> {
        let mapping = MappedCollection<Element, V>
            .Mapping({ $0[keyPath: keyPath] }, { Element._names(of: keyPath) })
        return ProjectedCollection(MappedCollection(mapping, collection))
    }
}

extension RealmCollection where Element: ObjectBase {
    /// The objects as values of one of their properties, for ``Projected``.
    public var projectTo: CollectionElementMapper<Element> {
        CollectionElementMapper { AnyRealmCollection(self) }
    }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase & RealmCollectionValue {
    /// The objects, in the order of their keys, as values of one of their properties, for ``Projected``.
    ///
    /// A key that has no object has no value either.
    public var projectTo: CollectionElementMapper<Value.Wrapped> {
        CollectionElementMapper { [self] in
            let values = _results
            guard let state = values.state as? ObjectResultState else {
                return AnyRealmCollection(Results(memory: values.memory.compactMap { $0 as? Value.Wrapped }))
            }
            return AnyRealmCollection(Results<Value.Wrapped>(state))
        }
    }
}
