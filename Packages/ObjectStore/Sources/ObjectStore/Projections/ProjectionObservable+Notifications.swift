public import Dispatch
import EventModel
import Foundation

extension ProjectionObservable {
    /// Calls a handler whenever what projected properties show changes, and once when the object is deleted.
    ///
    /// A change says the names and values of projected properties. Those of objects that a property reaches through links count,
    /// too: of `\Person.friends.projectTo.name` the names of the friends. What shows backlinks never changes in this sense. An old
    /// value is there when another instance made the change to a property of the object itself.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties of the projection that count; nil for all.
    ///   - queue: Where the handler is called, with a projection of an object of that queue's instance; nil for where this is
    ///     called.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive.
    /// - Precondition: The object is managed and exists; the properties exist; no write that changed something is open.
    public func observe(
        keyPaths: [String]? = nil,
        on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(chosen(keyPaths), on: queue, block)
    }

    /// Calls a handler whenever what projected properties show changes; see the form with names.
    public func observe(
        keyPaths: [PartialKeyPath<Self>],
        on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(chosen(keyPaths), on: queue, block)
    }

    /// Calls a handler on an actor whenever what projected properties show changes, and once when the object is deleted.
    ///
    /// The handler is given a projection of an object of the actor's own instance; otherwise as `observe(keyPaths:on:_:)` of a
    /// queue.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties of the projection that count; nil for all.
    ///   - actor: Where the handler is called; it is not kept alive.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive, once the actor observes.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil,
        on actor: A,
        _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(chosen(keyPaths), on: actor, block)
    }

    /// Calls a handler on an actor whenever what projected properties show changes; see the form with names.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Self>],
        on actor: A,
        _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(chosen(keyPaths), on: actor, block)
    }

    // MARK: - Choosing

    private func chosen(_ keyPaths: [String]?) -> [ProjectionSchema.Property] {
        ProjectionSchema.of(type(of: self)).chosen(keyPaths, of: "\(type(of: self))")
    }

    /// The properties that show what key paths lead to.
    private func chosen(_ keyPaths: [PartialKeyPath<Self>]) -> [ProjectionSchema.Property] {
        let properties = chosen(nil)
        return keyPaths.flatMap { keyPath in
            let path = Self._names(of: keyPath)
            return properties.filter { $0.path == path }
        }
    }

    // MARK: - Observing

    private func observe(
        _ properties: [ProjectionSchema.Property],
        on queue: DispatchQueue?,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        let place = rootObject.requireObserved(Root.self, properties.map(\.storedKeyPath))
        // SAFETY: the block is only called on the executor that the caller names for it.
        nonisolated(unsafe) let block = block
        return place.realm.notifications.observe(
            "A projection of '\(Root.className())'",
            on: queue.map(Confinement.of),
            handover(place, properties) { block($0) }
        ) {
            ProjectionObservation(
                self,
                place.core,
                place.realm,
                place.row,
                place.realm.store.version,
                properties,
                block
            )
        }
    }

    private func observe<A: Actor>(
        _ properties: [ProjectionSchema.Property],
        on actor: A,
        _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        let place = rootObject.requireObserved(Root.self, properties.map(\.storedKeyPath))
        return await place.realm.notifications.observe(
            on: actor,
            handover(place, properties) { [weak actor] change in actor?.told(change, block) }
        )
    }

    /// Returns how a handler is made to observe a projection of the object in another instance.
    private func handover(
        _ place: (core: ObjectCore, realm: RealmCore, row: ObjectSnapshot),
        _ properties: [ProjectionSchema.Property],
        _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
    ) -> Handover {
        let reference = RowReference(place.core)
        let (row, version, type) = (place.row, place.realm.store.version, type(of: self))
        return Handover(
            make: { realm in
                let core = reference.core(in: realm)
                let projection = type.init(projecting: Root._object(core))
                return ProjectionObservation(projection, core, realm, row, version, properties, block)
            },
            fail: { error in block(.error(error as NSError)) }
        )
    }
}
