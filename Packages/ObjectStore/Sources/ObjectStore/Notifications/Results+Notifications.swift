public import Dispatch

extension Results {
    /// Calls a handler with the result as it is, and then whenever it changes.
    ///
    /// The first call comes later, never inside of this one. By default a change of what the objects link to counts as
    /// a modification, over four links.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes are modifications, such as `name` or `dogs.name`; nil for all.
    ///   - queue: Where the handler is called, with a result of an instance of that queue; nil for where this is called.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive.
    /// - Precondition: The key paths exist; no write that changed something is open.
    public func observe(
        keyPaths: [String]? = nil,
        on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Results>) -> Void
    ) -> NotificationToken {
        guard let state else {
            misuse("A result of an unmanaged collection was observed; add the object of the collection to a realm first.")
        }
        state.core.requireObservable("A result of '\(state.table.schema.name)'")
        return state.core.begin(observation(state, keyPaths, block))
    }

    private func observation(
        _ state: ResultState,
        _ keyPaths: [String]?,
        _ block: @escaping (RealmCollectionChange<Results>) -> Void
    ) -> CollectionObservation {
        let source = ObservedSource(state)
        return CollectionObservation(source, ObservedPaths(keyPaths, of: source)) { [self] event in
            block(RealmCollectionChange(event, self))
        }
    }

}

extension Results where Element: ObjectBase {
    /// Calls a handler with the result as it is, and then whenever it changes; see ``observe(keyPaths:on:_:)-2h5hu``.
    public func observe(
        keyPaths: [PartialKeyPath<Element>],
        on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Results>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathRecorder.path(of: $0).joined(separator: ".") }, on: queue, block)
    }
}

extension RealmCollectionChange {
    init(_ event: CollectionObservation.Event, _ collection: CollectionType) {
        switch event {
        case .initial: self = .initial(collection)
        case .update(let deletions, let insertions, let modifications):
            self = .update(
                collection,
                deletions: deletions,
                insertions: insertions,
                modifications: modifications
            )
        }
    }
}

extension ObservedPaths {
    /// The paths of a token of a collection; nil means all properties.
    init(_ keyPaths: [String]?, of source: ObservedSource) {
        guard let keyPaths else {
            self = .deep
            return
        }
        guard let elements = source.elements else {
            misuse("Key paths were given to observe a collection whose elements are not objects; give none.")
        }
        self = ObservedPaths(keyPaths, of: elements.schema, in: source.realm)
    }
}
