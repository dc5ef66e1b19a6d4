public import Dispatch

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
        let name = Self.className()
        guard let core = _core else {
            misuse("An object of '\(name)' was observed that is not managed; add it to a realm first.")
        }
        let realm = core.confinedRealm
        realm.requireObservable("An object of '\(name)'")
        guard let object = self as? T else {
            misuse("An object of '\(name)' was observed with a handler for objects of '\(T.className())'.")
        }
        let row = realm.reading { () throws(Realm.Error) in try core.table.row(core.key) }
        guard core.isValid, let row else {
            misuse("An object of '\(name)' was observed that was deleted; check 'isInvalidated' first.")
        }
        let paths = keyPaths.map { ObservedPaths($0, of: core.table.schema, in: realm) } ?? .shallow
        return realm.begin(
            ObjectObservation(core, realm, row, paths) { event in
                switch event {
                case .change(let changes): block(.change(object, changes))
                case .deleted: block(.deleted)
                }
            }
        )
    }

    /// Calls a handler whenever properties of the object change; see ``observe(keyPaths:on:_:)-7ql5w``.
    public final func observe<T: ObjectBase>(
        keyPaths: [PartialKeyPath<T>],
        on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathRecorder.path(of: $0).joined(separator: ".") }, on: queue, block)
    }
}
