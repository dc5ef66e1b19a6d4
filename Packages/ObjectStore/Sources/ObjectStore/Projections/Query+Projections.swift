// A condition on projections is one on their objects.
extension Query where T: ProjectionObservable {
    /// A property of the projection, as the object has it: what a key path computes beyond a stored property is left out.
    public subscript<V>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> {
        member(T._names(of: keyPath))
    }

    /// A collection that the projection passes on; a comparison asks whether any element fulfils it.
    public subscript<V: _QueryCollection>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> {
        member(T._names(of: keyPath), isCollection: true)
    }

    /// A property of the object that is projected.
    @_disfavoredOverload
    public subscript<V>(dynamicMember keyPath: KeyPath<T.Root, V>) -> Query<V> {
        member(KeyPathRecorder.path(of: keyPath))
    }

    /// A collection of the object that is projected.
    @_disfavoredOverload
    public subscript<V: _QueryCollection>(dynamicMember keyPath: KeyPath<T.Root, V>) -> Query<V> {
        member(KeyPathRecorder.path(of: keyPath), isCollection: true)
    }
}
