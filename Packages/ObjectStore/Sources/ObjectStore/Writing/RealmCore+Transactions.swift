import Dispatch
import EventModel
import Synchronization

extension RealmCore {
    /// Takes the write lock and moves to the newest version.
    ///
    /// - Throws: ``Realm/Error`` when the lock cannot be had from another process within a minute.
    func beginWrite() throws(Realm.Error) {
        requireLive("write")
        guard !configuration.readOnly else {
            misuse("A write was begun in the realm '\(file.path)', which was opened read-only.")
        }
        guard transaction == nil else {
            misuse("A write was begun in a realm that is already in a write transaction; nested writes do not exist.")
        }
        try lockForWriting()
        startTransaction()
    }

    /// Begins a transaction under a lock that was granted, if no other process has the file locked.
    ///
    /// - Parameter isLast: Whether to throw rather than return false when one has.
    /// - Returns: Whether the transaction has begun.
    /// - Throws: A `Realm.Error` when the file cannot be written to.
    func beginWriteIfFree(isLast: Bool) throws(Realm.Error) -> Bool {
        do throws(Realm.Error) {
            try beginWithoutWaiting()
        } catch  where error.isBusy && !isLast {
            return false
        }
        startTransaction()
        return true
    }

    private func beginWithoutWaiting() throws(Realm.Error) {
        for attempt in 1...Self.maximumLockCount {
            deliverBeforeWriting()
            try store.connection.withoutWaiting { () throws(Realm.Error) in try store.beginWriting() }
            guard attempt < Self.maximumLockCount, let notifier, notifier.isDue else { return }
            try store.rollbackWriting()
        }
    }

    private func startTransaction() {
        requireActiveVersions()
        transaction = WriteTransaction()
        if openObserver != nil {
            for table in store.tables where table.schema.isFlat { table.touched.before = [:] }
        }
        // Objects that are added one by one must not take the count of accessors to zero and back each time.
        addAccessor()
        // Only after many attempts: handlers had better not find themselves in a transaction.
        if let notifier, notifier.isDue { notifier.deliver(initial: false) }
    }

    /// Takes the lock at a version that all handlers know.
    private func lockForWriting() throws(Realm.Error) {
        for attempt in 1...Self.maximumLockCount {
            deliverBeforeWriting()
            takeWriteLock()
            do throws(Realm.Error) {
                try store.beginWriting()
                // Another instance may have committed since; its changes are told before the transaction begins.
                guard attempt < Self.maximumLockCount, let notifier, notifier.isDue else { return }
                try store.rollbackWriting()
                giveWriteLockBack()
            } catch {
                giveWriteLockBack()
                throw error
            }
        }
    }

    /// How often a write lets others go first because handlers have to be told of their commits.
    private static var maximumLockCount: Int { 8 }

    /// Makes the transaction durable, or rolls it back and throws the first error that happened in it.
    ///
    /// - Parameter tokens: The tokens whose handlers are not told of it.
    /// - Throws: The first error of the transaction, or a `Realm.Error` when the file cannot be written to.
    func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws(Realm.Error) {
        guard let transaction else {
            misuse("A write was committed in a realm that is not in a write transaction.")
        }
        if let error = transaction.firstError {
            cancelWrite()
            throw error
        }
        let skips = transaction.hasChanges ? skips(tokens, store.version + 1) : []
        let (changes, note): (CommitChanges?, CommittedNote?)
        do throws(Realm.Error) {
            (changes, note) = try commitChanges(of: transaction)
        } catch {
            cancelWrite()
            throw error
        }
        for skip in skips { skip() }
        endTransaction()
        if let changes, let observer = note == nil ? openObserver : observer { observer.didCommit(changes, note: note) }
        if transaction.hasChanges { didCommit(store.version) }
    }

    /// Runs the commit; the snapshots for an observer are taken while the transaction still holds the lock.
    private func commitChanges(
        of transaction: WriteTransaction
    ) throws(Realm.Error) -> (CommitChanges?, CommittedNote?) {
        guard transaction.hasChanges else {
            let version = store.version
            try store.commitWriting(version: version)
            // It made no version, so that an observer could not tell what was read before it from what is read after it.
            guard openObserver != nil else { return (nil, nil) }
            return (CommitChanges(versionBefore: version, versionAfter: version, classes: []), nil)
        }
        try keepNextKeys()
        let newVersion = store.version + 1
        try store.changeLog?.append(store.tables, unmanaged: store.touchedUnmanaged, version: newVersion)
        let observer = openObserver
        let changes = observer == nil ? nil : try ChangeCapture(self, transaction).changes(versionAfter: newVersion)
        let notes = try updateNotes(for: changes, observer)
        // Nobody may read the old version while SQLite commits, or it could never begin its log anew.
        try past?.endReading()
        try store.commitWriting(version: newVersion, remembersRows: opening != 0)
        file.broadcast.noteVersion(newVersion)
        didCommit(notes)
        return (changes, notes.note)
    }

    /// Writes down which row keys were given, so that none is given again.
    ///
    /// The rows themselves say so unless some were deleted: a transaction that only inserts saves a page.
    func keepNextKeys() throws(Realm.Error) {
        for table in store.tables where table.touched.hasDeletions {
            if let keys = table.newKeys { try StoredSchema.setNextKey(keys.upperBound, table) }
        }
    }

    /// Rolls the transaction back; objects that it inserted become invalid.
    func cancelWrite() {
        guard let transaction else {
            misuse("A write was cancelled in a realm that is not in a write transaction.")
        }
        transaction.insertion?.isCancelled = true
        reading(or: ()) { () throws(Realm.Error) in try store.rollbackWriting() }
        endTransaction()
    }

    private func endTransaction() {
        reading(or: ()) { () throws(Realm.Error) in try past?.endReading() }
        transaction = nil
        giveWriteLockBack()
        // However it ended: what was to be told in a turn of the transaction was left for later.
        if notifier != nil { mailbox.wake() }
        removeAccessor()
    }

    // MARK: Mutations

    /// Whether a mutation may go on; traps outside a write, and skips it in a doomed one.
    @inline(__always)
    func mayMutate(named action: () -> String) -> Bool {
        guard transaction != nil else {
            if isFrozen { misuse("The attempt to \(action()) failed: it is frozen; call 'thaw()' and change that.") }
            if configuration.readOnly { misuse("The attempt to \(action()) failed: the realm was opened read-only.") }
            misuse("The attempt to \(action()) was made outside of a write transaction; call 'realm.write { … }'.")
        }
        return transaction?.firstError == nil
    }

    /// Runs a mutation; its error dooms the transaction.
    @inline(__always)
    func mutating(_ body: () throws(Realm.Error) -> Void) {
        do throws(Realm.Error) {
            try body()
        } catch {
            doom(error)
        }
    }

    /// Keeps the first error of the transaction, which is rolled back in the end.
    func doom(_ error: Realm.Error) {
        if transaction?.firstError == nil { transaction?.firstError = error }
    }

    // MARK: Bookkeeping

    func didInsert(_ table: ClassTable) {
        transaction?.hasChanges = true
        store.invalidateRows(of: table)
    }

    func didModify(_ core: ObjectCore, _ slot: Int) {
        didModify(core.table, key: core.key, slot)
        guard let parent = core.parent, observer != nil, !isNew(core.key, core.table) else { return }
        core.table.touched.parents[core.key] = parent
    }

    func didModify(_ table: ClassTable, key: Int64, _ slot: Int) {
        didModify(table, key: key, SlotSet(slot))
    }

    func didModify(_ table: ClassTable, key: Int64, _ slots: SlotSet) {
        transaction?.hasChanges = true
        store.invalidateRows(of: table)
        guard !isNew(key, table) else { return }
        table.touched.modify(key, slots, isExact: observer != nil)
    }

    func didDelete(_ table: ClassTable, key: Int64) {
        transaction?.hasChanges = true
        store.invalidateRows(of: table)
        table.touched.hasDeletions = true
        guard observer != nil, !isNew(key, table) else { return }
        table.touched.deleted.insert(key)
    }

    /// Whether the open transaction inserted a row.
    func isNew(_ key: Int64, _ table: ClassTable) -> Bool {
        table.newKeys?.contains(key) ?? false
    }
}
