extension RealmCollection {
    /// Calls a handler on an actor with the collection as it is, and then whenever it changes.
    ///
    /// The handler is given a collection of the actor's own instance of the realm; otherwise as
    /// ``observe(keyPaths:on:_:)``. The actor is not kept alive.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes are modifications; nil for all.
    ///   - actor: Where the handler is called.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive, once the actor observes.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil,
        on actor: A,
        _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(stored: Element.storedKeyPaths(keyPaths), on: actor, block)
    }

    /// Calls a handler on an actor; the key paths are those of the elements' stored properties.
    func observe<A: Actor>(
        stored keyPaths: [String]?,
        on actor: A,
        _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        let realm = observable.requireObservable(keyPaths)
        return await realm.notifications.observe(
            on: actor,
            handover(keyPaths) { [weak actor] change in
                actor?.told(change, block)
            }
        )
    }
}

extension RealmCollection where Element: KeypathSortable {
    /// Calls a handler on an actor; see ``observe(keyPaths:on:_:)``.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Element>],
        on actor: A,
        _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(stored: keyPaths.map(Element.name), on: actor, block)
    }
}

extension Map {
    /// Calls a handler on an actor with the map as it is, and then whenever it changes.
    ///
    /// The handler is given a map of the actor's own instance of the realm; otherwise as ``observe(keyPaths:on:_:)``.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties of values whose changes are modifications; nil for all.
    ///   - actor: Where the handler is called; it is not kept alive.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive, once the actor observes.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil,
        on actor: A,
        _ block: @escaping @Sendable (isolated A, RealmMapChange<Map>) -> Void
    ) async -> NotificationToken {
        let realm = requireObservable(keyPaths)
        return await realm.notifications.observe(
            on: actor,
            handover(keyPaths) { [weak actor] change in
                actor?.told(change, block)
            }
        )
    }
}

extension _OptionalPersistable where Self: ObjectBase {
    /// Calls a handler on an actor whenever properties of the object change, and once when it is deleted.
    ///
    /// The handler is given an object of the actor's own instance of the realm; otherwise as
    /// `observe(keyPaths:on:_:)` of a queue.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties that count; nil for all of the object itself.
    ///   - actor: Where the handler is called; it is not kept alive.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive, once the actor observes.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil,
        on actor: A,
        _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        let (core, realm, row) = requireObserved(Self.self, keyPaths)
        return await realm.notifications.observe(
            on: actor,
            handover(core, row, keyPaths) { [weak actor] change in
                actor?.told(change, block)
            }
        )
    }
}

extension Actor {
    /// Calls a handler; the running code is on the actor already.
    nonisolated func told<Change>(_ change: Change, _ block: @Sendable (isolated Self, Change) -> Void) {
        // SAFETY: the change was made on this actor, which the check makes sure of, and stays there.
        nonisolated(unsafe) let change = change
        assumeIsolated { actor in block(actor, change) }
    }
}

extension InstanceNotifications {
    /// Lets the instance of an actor observe, and waits until it does; a task that is cancelled until then observes nothing.
    func observe(on actor: any Actor, _ handover: Handover) async -> NotificationToken {
        let place = Confinement.of(actor)
        let token = hand(handover, to: place)
        // Kept alive until here, so that the work for the actor is not dropped.
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in place.schedule { continuation.resume() } }
        } onCancel: {
            token.invalidate()
        }
        withExtendedLifetime(actor) {}
        return token
    }
}
