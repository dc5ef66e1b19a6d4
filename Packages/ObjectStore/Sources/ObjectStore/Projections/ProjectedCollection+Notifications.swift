public import Dispatch

extension ProjectedCollection {
    /// Calls a handler with the collection as it is, and then whenever elements come, go or show another value.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties of the objects whose changes are modifications; nil for the one that is projected.
    ///   - queue: Where the handler is called, with a collection of that queue's instance; nil for the executor of this instance.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive.
    /// - Precondition: As for the collection behind it; see `observe(keyPaths:on:_:)`.
    public func observe(
        keyPaths: [String]? = nil,
        on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
    ) -> NotificationToken {
        source.observe(keyPaths, on: queue, block)
    }

    /// Calls a handler on an actor with the collection as it is, and then whenever it changes.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties of the objects whose changes are modifications; nil for the one that is projected.
    ///   - actor: Where the handler is called; it is not kept alive.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive, once the actor observes.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil,
        on actor: A,
        _ block: @escaping @Sendable (isolated A, RealmCollectionChange<ProjectedCollection>) -> Void
    ) async -> NotificationToken {
        await source.observe(keyPaths, on: actor, block)
    }
}
