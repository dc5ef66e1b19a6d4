extension Query where T: ObjectBase {
    /// A property of the object.
    public subscript<V>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> {
        member(KeyPathRecorder.path(of: keyPath))
    }

    /// A collection of the object; a comparison asks whether any element fulfils it.
    public subscript<V: _QueryCollection>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> {
        member(KeyPathRecorder.path(of: keyPath), isCollection: true)
    }
}

extension Query {
    /// A property of the object that a link refers to; the comparison fails when it refers to none.
    public subscript<Target: ObjectBase, V>(dynamicMember keyPath: KeyPath<Target, V>) -> Query<V>
    where T == Target? {
        member(KeyPathRecorder.path(of: keyPath))
    }

    /// A collection of the object that a link refers to.
    public subscript<Target: ObjectBase, V: _QueryCollection>(
        dynamicMember keyPath: KeyPath<Target, V>
    ) -> Query<V> where T == Target? {
        member(KeyPathRecorder.path(of: keyPath), isCollection: true)
    }
}

extension Query where T: _QueryCollection, T._QueryElement: ObjectBase {
    /// A property of the objects of a collection; the comparison asks whether any of them fulfils it.
    public subscript<V>(dynamicMember keyPath: KeyPath<T._QueryElement, V>) -> Query<V> {
        member(KeyPathRecorder.path(of: keyPath))
    }

    /// A collection of the objects of a collection.
    public subscript<V: _QueryCollection>(dynamicMember keyPath: KeyPath<T._QueryElement, V>) -> Query<V> {
        member(KeyPathRecorder.path(of: keyPath), isCollection: true)
    }
}

// MARK: - Stored forms

extension Query where T: PersistableEnum {
    /// The raw value, as which the enumeration is stored.
    public var rawValue: Query<T.RawValue> { cast() }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum {
    /// The raw value, as which the enumeration is stored.
    public var rawValue: Query<T.Wrapped.RawValue?> { cast() }
}

extension Query where T: _QueryCollection, T._QueryElement: PersistableEnum {
    /// The raw values of the elements.
    public var rawValue: Query<List<T._QueryElement.RawValue>> { cast() }
}

/// An optional of any type.
public protocol OptionalProtocol {
    /// The type of the value that may be missing.
    associatedtype Wrapped
}
extension Optional: OptionalProtocol {}
