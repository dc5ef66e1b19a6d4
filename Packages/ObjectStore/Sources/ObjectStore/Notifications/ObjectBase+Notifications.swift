public import Dispatch
import EventModel
import Foundation

extension ObjectBase {
    /// Calls a handler whenever properties of the object change, and once when it is deleted.
    ///
    /// Without key paths a change inside of what the object links to does not count.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties that count, such as `name` or `dogs.name`; nil for all of the object itself.
    ///   - queue: Where the handler is called, with an object of an instance of that queue; nil for where this is
    ///     called.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive.
    /// - Precondition: The object is managed, exists and is of class `T`; the key paths exist; no write that changed
    ///   something is open.
    public final func observe<T: ObjectBase>(
        keyPaths: [String]? = nil,
        on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        let (core, realm, row) = requireObserved(T.self, keyPaths)
        // SAFETY: the block is only called on the executor that the caller names for it.
        nonisolated(unsafe) let block = block
        return realm.notifications.observe(
            Self.subject,
            on: queue.map(Confinement.of),
            handover(core, row, keyPaths) { block($0) }
        ) { [self] in
            (self as? T)
                .map { object in
                    ObjectObservation(core, realm, row, realm.store.version, ObservedPaths(keyPaths, of: core)) {
                        block(ObjectChange($0, object))
                    }
                }
        }
    }

    /// Returns how a handler is made to observe the object in another instance.
    final func handover<T: ObjectBase>(
        _ core: ObjectCore,
        _ row: ObjectSnapshot,
        _ keyPaths: [String]?,
        _ block: @escaping @Sendable (ObjectChange<T>) -> Void
    ) -> Handover {
        let reference = RowReference(core)
        let version = core.confinedRealm.store.version
        return Handover(
            make: { realm in
                let core = reference.core(in: realm)
                let object = core.table.schema.type.init()
                object._core = core
                guard let object = object as? T else { return nil }
                return ObjectObservation(core, realm, row, version, ObservedPaths(keyPaths, of: core)) {
                    block(ObjectChange($0, object))
                }
            },
            fail: { error in block(.error(error as NSError)) }
        )
    }

    /// The row behind the object; traps when there is nothing to observe or a key path does not exist.
    final func requireObserved<T: ObjectBase>(
        _ type: T.Type,
        _ keyPaths: [String]?
    ) -> (core: ObjectCore, realm: RealmCore, row: ObjectSnapshot) {
        guard let core = _core else {
            misuse("\(Self.subject) was observed that is not managed; add it to a realm first.")
        }
        let realm = core.confinedRealm
        realm.notifications.requireObservable(Self.subject)
        guard self is T else {
            misuse("\(Self.subject) was observed with a handler for objects of '\(T.className())'.")
        }
        let row = realm.reading { () throws(Realm.Error) in try core.table.row(core.key) }
        guard core.isValid, let row else {
            misuse("\(Self.subject) was observed that was deleted; check 'isInvalidated' first.")
        }
        _ = ObservedPaths(keyPaths, of: core)
        return (core, realm, row)
    }

    private static var subject: String { "An object of '\(className())'" }

    /// Calls a handler whenever properties of the object change; see the form with names.
    public final func observe<T: ObjectBase>(
        keyPaths: [PartialKeyPath<T>],
        on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map(KeyPathRecorder.name), on: queue, block)
    }
}

extension ObjectChange {
    init(_ event: ObjectObservation.Event, _ object: T) {
        switch event {
        case .change(let properties): self = .change(object, properties)
        case .deleted: self = .deleted
        }
    }
}

extension ObservedPaths {
    /// The paths of a token of an object; nil means the object's own properties.
    init(_ keyPaths: [String]?, of core: ObjectCore) {
        guard let keyPaths else {
            self = .shallow
            return
        }
        self = ObservedPaths(keyPaths, of: core.table.schema, in: core.confinedRealm)
    }
}
