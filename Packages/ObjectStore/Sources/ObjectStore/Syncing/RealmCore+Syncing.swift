import ChangeModel

extension RealmCore {
    /// Runs what a server said in a transaction of its own, which no observer takes for the user's.
    ///
    /// - Parameters:
    ///   - tokens: The tokens whose handlers are not notified of it.
    ///   - waitsForDisk: Whether it is durable when this returns; see ``StoreConnection/withoutWaitingForDisk(_:)``.
    ///   - body: What is written.
    /// - Returns: What the body returns.
    /// - Throws: A `Realm.Error`; nothing was written then.
    func writeSynced<Result>(
        withoutNotifying tokens: [NotificationToken] = [],
        waitsForDisk: Bool = true,
        _ body: (inout Integration) throws(Realm.Error) -> Result
    ) throws(Realm.Error) -> Result {
        try writeSyncTables(withoutNotifying: tokens, waitsForDisk: waitsForDisk) { objects throws(Realm.Error) in
            var integration = try Integration(self, objects)
            let result = try body(&integration)
            store.touchedCells?.pending = integration.pending
            return result
        }
    }

    /// Writes the tables of sync alone, in a transaction of its own, which costs the same however much is pending.
    ///
    /// - Parameters:
    ///   - tokens: The tokens whose handlers are not notified of it.
    ///   - waitsForDisk: Whether it is durable when this returns; see ``StoreConnection/withoutWaitingForDisk(_:)``.
    ///   - body: What is written.
    /// - Returns: What the body returns.
    /// - Throws: A `Realm.Error`; nothing was written then.
    func writeSyncTables<Result>(
        withoutNotifying tokens: [NotificationToken] = [],
        waitsForDisk: Bool = true,
        _ body: (SyncedObjects) throws(Realm.Error) -> Result
    ) throws(Realm.Error) -> Result {
        // To begin a write inside of another one is refused below.
        if waitsForDisk || transaction.isOpen { return try transactSynced(withoutNotifying: tokens, body) }
        return try store.withoutWaitingForDisk { () throws(Realm.Error) in
            try transactSynced(withoutNotifying: tokens, body)
        }
    }

    private func transactSynced<Result>(
        withoutNotifying tokens: [NotificationToken],
        _ body: (SyncedObjects) throws(Realm.Error) -> Result
    ) throws(Realm.Error) -> Result {
        guard let touched = store.touchedCells else {
            throw Realm.Error(
                .incompatibleHistories,
                "The realm '\(file.path)' does not keep its changes and has no place in sync."
            )
        }
        try beginWrite()
        touched.isPaused = true
        do throws(Realm.Error) {
            let result = try body(SyncedObjects(store))
            try commitWrite(withoutNotifying: tokens)
            return result
        } catch {
            // What is known of pending changes may be of the transaction.
            touched.pending = nil
            if transaction.isOpen { cancelWrite() }
            throw error
        }
    }

    /// Integrates the entries of a server, without waiting for the disk.
    ///
    /// The position is in the transaction that writes the data, so that what a power cut takes is downloaded again.
    ///
    /// - Parameters:
    ///   - entries: The entries behind the position, in order.
    ///   - tokens: The tokens whose handlers are not notified of it.
    /// - Returns: What became of own changes that do not hold.
    /// - Throws: A `Realm.Error`; nothing was written then.
    func integrate(
        _ entries: [Entry],
        withoutNotifying tokens: [NotificationToken] = []
    ) throws(Realm.Error) -> Integrated {
        try writeSynced(withoutNotifying: tokens, waitsForDisk: false) { integration throws(Realm.Error) in
            try integration.writeDeclared()
            try integration.integrate(entries)
            return Integrated(position: integration.position, rejected: integration.rejections)
        }
    }

    /// Writes what was put aside for a program that declares more, if this one does; nothing happens after the first time.
    ///
    /// - Throws: A `Realm.Error`; nothing was written then.
    func writeDeclared() throws(Realm.Error) {
        guard let touched = store.touchedCells, !touched.hasLookedForDeclared else { return }
        touched.hasLookedForDeclared = true
        let declared = try store.use { () throws(Realm.Error) in
            try UnknownOperations(objects: SyncedObjects(store)).declared()
        }
        guard !declared.isEmpty else { return }
        try writeSynced { integration throws(Realm.Error) in try integration.writeDeclared() }
    }
}
