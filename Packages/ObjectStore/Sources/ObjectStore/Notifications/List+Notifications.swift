public import Dispatch

extension List {
    /// Calls a handler with the list as it is, and then whenever it changes; see ``Results/observe(keyPaths:on:_:)``.
    ///
    /// Replacing an element at its place is a modification.
    ///
    /// - Precondition: The list is managed and its object exists.
    public func observe(
        keyPaths: [String]? = nil,
        on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<List>) -> Void
    ) -> NotificationToken {
        guard let (core, slot) = owner else {
            misuse("A list was observed that belongs to an unmanaged object; add the object to a realm first.")
        }
        let realm = core.confinedRealm
        let name = "\(core.table.schema.name).\(core.table.schema.properties[slot].name)"
        realm.requireObservable("The list '\(name)'")
        guard core.isValid else {
            misuse("The list '\(name)' was observed after its object was deleted; check 'isInvalidated' first.")
        }
        let source = ObservedSource(core, slot, realm)
        return realm.begin(
            CollectionObservation(source, ObservedPaths(keyPaths, of: source)) { [self] event in
                block(RealmCollectionChange(event, self))
            }
        )
    }
}

extension List where Element: ObjectBase {
    /// Calls a handler with the list as it is, and then whenever it changes; see ``observe(keyPaths:on:_:)``.
    public func observe(
        keyPaths: [PartialKeyPath<Element>],
        on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<List>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathRecorder.path(of: $0).joined(separator: ".") }, on: queue, block)
    }
}
