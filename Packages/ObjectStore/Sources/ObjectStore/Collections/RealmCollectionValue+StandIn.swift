extension RealmCollectionValue {
    /// An object for an element that could not be read: one that no realm knows; nil for elements of other types.
    ///
    /// Only for a `read` or `write` that throws in the end, so that nothing that is computed from it is ever returned.
    static var standIn: Self? {
        if let type = self as? any ProjectionObservable.Type { return type.standIn as? Self }
        return (self as? ObjectBase.Type)?.init() as? Self
    }
}
