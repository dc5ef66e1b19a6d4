public import Dispatch

extension Map: ObservableCollection {}

extension Map {
    /// Calls a handler with the map as it is, and then whenever it changes, by keys.
    ///
    /// Assigning an equal value to a key is no change. By default a change inside of a value that is an object counts as
    /// a modification, over four links.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties of values whose changes are modifications; nil for all.
    ///   - queue: Where the handler is called, with a map of an instance of that queue; nil for the executor of this
    ///     instance.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive.
    /// - Precondition: The map is managed and its object exists; the key paths exist; no write that changed something is
    ///   open; there is a queue or this instance is of one, of the main thread or of an actor.
    public func observe(
        keyPaths: [String]? = nil,
        on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmMapChange<Map>) -> Void
    ) -> NotificationToken {
        let realm = requireObservable(keyPaths)
        // SAFETY: the block is only called on the executor that the caller names for it.
        nonisolated(unsafe) let block = block
        return realm.notifications.observe(subject, on: queue.map(Confinement.of), handover(keyPaths) { block($0) }) {
            self.observation(keyPaths, block)
        }
    }

    /// Returns how a handler is made to observe the map in another instance.
    func handover(
        _ keyPaths: [String]?,
        _ block: @escaping @Sendable (RealmMapChange<Map>) -> Void
    ) -> Handover {
        let find = handover()
        return Handover(
            make: { realm in (find(realm) as? Map)?.observation(keyPaths, block) },
            fail: { error in block(.error(error)) }
        )
    }

    private func observation(
        _ keyPaths: [String]?,
        _ block: @escaping (RealmMapChange<Map>) -> Void
    ) -> MapObservation? {
        guard let source = observedSource() else { return nil }
        return MapObservation(source, ObservedPaths(keyPaths, of: source)) { [self] event in
            switch event {
            case .initial: block(.initial(self))
            case .update(let deletions, let insertions, let modifications):
                block(
                    .update(
                        self,
                        deletions: deletions.map(Key.init(_entryKey:)),
                        insertions: insertions.map(Key.init(_entryKey:)),
                        modifications: modifications.map(Key.init(_entryKey:))
                    )
                )
            }
        }
    }
}

extension Map {
    /// Calls a handler with the map as it is, and then whenever it changes; see ``observe(keyPaths:on:_:)``.
    public func observe<Target: ObjectBase>(
        keyPaths: [PartialKeyPath<Target>],
        on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmMapChange<Map>) -> Void
    ) -> NotificationToken where Value == Target? {
        observe(keyPaths: keyPaths.map(KeyPathRecorder.name), on: queue, block)
    }
}
