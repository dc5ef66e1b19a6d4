// What a query asks of values that are stored as something else, and of objects that are reached backwards.

extension Query where T: FailableCustomPersistable {
    /// The stored form of the value.
    public var persistableValue: Query<T.PersistedType> { cast() }
}

extension Query where T: OptionalProtocol, T.Wrapped: FailableCustomPersistable {
    /// The stored form of the value.
    public var persistableValue: Query<T.Wrapped.PersistedType?> { cast() }
}

extension Query
where
    T: _QueryCollection,
    T._QueryElement: FailableCustomPersistable,
    T._QueryElement.PersistedType: RealmCollectionValue
{
    /// The stored forms of the elements.
    public var persistableValue: Query<List<T._QueryElement.PersistedType>> { cast() }
}

extension Query
where T: _QueryCollection, T._QueryElement: OptionalProtocol, T._QueryElement.Wrapped: ObjectBase {
    /// A property of the objects of a map; the comparison asks whether any of them fulfils it.
    public subscript<V>(dynamicMember keyPath: KeyPath<T._QueryElement.Wrapped, V>) -> Query<V> {
        member(KeyPathRecorder.path(of: keyPath))
    }

    /// A collection of the objects of a map.
    public subscript<V: _QueryCollection>(
        dynamicMember keyPath: KeyPath<T._QueryElement.Wrapped, V>
    ) -> Query<V> {
        member(KeyPathRecorder.path(of: keyPath), isCollection: true)
    }
}

extension LinkingObjects: _QueryCollection {
    /// The class of the objects that link.
    public typealias _QueryElement = Element
}
