public import Dispatch

extension RealmCollection {
    /// Calls a handler with the collection as it is, and then whenever it changes.
    ///
    /// The first call comes later, never inside of this one. By default a change of what the elements link to counts as
    /// a modification, over four links. In a list, replacing an element at its place is a modification. A collection
    /// whose object is deleted loses all elements; no handler is called after that.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes are modifications, such as `name` or `dogs.name`; nil for all.
    ///   - queue: Where the handler is called, with a collection of an instance of that queue; nil for the executor of this
    ///     instance.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive.
    /// - Precondition: The collection is managed and exists; the key paths exist; no write that changed something is
    ///   open; there is a queue or this instance is of one, of the main thread or of an actor.
    public func observe(
        keyPaths: [String]? = nil,
        on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observe(stored: Element.storedKeyPaths(keyPaths), on: queue, block)
    }

    /// Calls a handler; the key paths are those of the elements' stored properties.
    func observe(
        stored keyPaths: [String]?,
        on queue: DispatchQueue?,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        let realm = observable.requireObservable(keyPaths)
        // SAFETY: the block is only called on the executor that the caller names for it.
        nonisolated(unsafe) let block = block
        return realm.notifications.observe(
            observable.subject,
            on: queue.map(Confinement.of),
            handover(keyPaths) { block($0) }
        ) {
            self.observation(keyPaths, block)
        }
    }

    /// Returns how a handler is made to observe the collection in another instance.
    func handover(
        _ keyPaths: [String]?,
        _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
    ) -> Handover {
        let find = observable.handover()
        return Handover(
            make: { realm in (find(realm) as? Self)?.observation(keyPaths, block) },
            fail: { error in block(.error(error)) }
        )
    }

    /// Makes the observation of this collection; nil when it is gone.
    func observation(
        _ keyPaths: [String]?,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> CollectionObservation? {
        guard let source = observable.observedSource() else { return nil }
        return CollectionObservation(source, ObservedPaths(keyPaths, of: source)) { event in
            block(RealmCollectionChange(event, self))
        }
    }

    /// The collection as tokens see it.
    var observable: any ObservableCollection {
        guard let observable = self as? any ObservableCollection else {
            misuse("A collection of the type '\(Self.self)' cannot be observed.")
        }
        return observable
    }
}

extension RealmCollection where Element: KeypathSortable {
    /// Calls a handler with the collection as it is, and then whenever it changes; see ``observe(keyPaths:on:_:)``.
    public func observe(
        keyPaths: [PartialKeyPath<Element>],
        on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observe(stored: keyPaths.map(Element.name), on: queue, block)
    }
}

extension RealmCollectionChange {
    init(_ event: CollectionEvent, _ collection: CollectionType) {
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

extension KeyPathRecorder {
    /// The properties of a key path as text, such as `dog.name`.
    static func name<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String {
        path(of: keyPath).joined(separator: ".")
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
