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
        guard !transaction.isOpen else {
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
            notifications.deliverBeforeWriting()
            try store.connection.withoutWaiting { () throws(Realm.Error) in try store.beginWriting() }
            guard attempt < Self.maximumLockCount, notifications.isDue else { return }
            try store.rollbackWriting()
        }
    }

    private func startTransaction() {
        requireActiveVersions()
        transaction.begin()
        if observer.listening != nil {
            for table in store.tables where table.schema.isFlat { table.touched.before = [:] }
        }
        // Objects that are added one by one must not take the count of accessors to zero and back each time.
        addAccessor()
        // Only after many attempts: handlers had better not find themselves in a transaction.
        if notifications.isDue { notifications.deliver(initial: false) }
    }

    /// Takes the lock at a version that all handlers know.
    private func lockForWriting() throws(Realm.Error) {
        for attempt in 1...Self.maximumLockCount {
            notifications.deliverBeforeWriting()
            asyncWrites.takeWriteLock()
            do throws(Realm.Error) {
                try store.beginWriting()
                // Another instance may have committed since; its changes are delivered before the transaction begins.
                guard attempt < Self.maximumLockCount, notifications.isDue else { return }
                try store.rollbackWriting()
                asyncWrites.giveWriteLockBack(in: self)
            } catch {
                asyncWrites.giveWriteLockBack(in: self)
                throw error
            }
        }
    }

    /// How often a write lets others go first because handlers have to be notified of their commits.
    private static var maximumLockCount: Int { 8 }

    /// Makes the transaction durable, or rolls it back and throws the first error that happened in it.
    ///
    /// - Parameter tokens: The tokens whose handlers are not notified of it.
    /// - Throws: The first error of the transaction, or a `Realm.Error` when the file cannot be written to.
    func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws(Realm.Error) {
        guard let transaction = transaction.open else {
            misuse("A write was committed in a realm that is not in a write transaction.")
        }
        if let error = transaction.firstError {
            cancelWrite()
            throw error
        }
        let skips = transaction.hasChanges ? notifications.skips(tokens, store.version + 1) : []
        let (changes, note): (CommitChanges?, CommittedNote?)
        do throws(Realm.Error) {
            (changes, note) = try commitChanges(of: transaction)
        } catch {
            cancelWrite()
            throw error
        }
        for skip in skips { skip() }
        endTransaction()
        if let changes, let observer = note == nil ? observer.listening : observer.current {
            observer.didCommit(changes, note: note)
        }
        if transaction.hasChanges {
            notifications.didCommit(store.version)
        } else {
            notifications.didCommitNothing(withoutNotifying: tokens)
        }
    }

    /// Runs the commit; the snapshots for an observer are taken while the transaction still holds the lock.
    private func commitChanges(
        of transaction: WriteTransaction
    ) throws(Realm.Error) -> (CommitChanges?, CommittedNote?) {
        // Asked before the commit, with which the transaction is nobody's any more.
        let listener = isOfServer ? nil : observer.listening
        guard transaction.hasChanges else {
            let version = store.version
            try store.commitWriting(version: version)
            // It made no version, so that an observer could not tell what was read before it from what is read after it.
            guard listener != nil else { return (nil, nil) }
            return (CommitChanges(versionBefore: version, versionAfter: version, classes: []), nil)
        }
        let changeCount = try keepChange()
        try store.keepNextKeys()
        let newVersion = store.version + 1
        try store.changeLog?.append(store.tables, unmanaged: store.touchedUnmanaged, version: newVersion)
        let changes =
            listener == nil
            ? nil
            : try ChangeCapture(recording)
                .changes(versionAfter: newVersion, at: store.place(changeCount: changeCount))
        let notes = try NoteUpdate(for: changes, listener, file.notes, store)
        // Nobody may read the old version while SQLite commits, or it could never begin its log anew.
        try recording.releasePast()
        try store.commitWriting(version: newVersion, remembersRows: observer.opening != 0)
        file.broadcast.noteVersion(newVersion)
        notes.didCommit(file.notes)
        return (changes, notes.note)
    }

    /// Whether the open transaction writes what a server said, which is no act of this user.
    private var isOfServer: Bool { store.touchedCells?.isPaused ?? false }

    /// Rolls the transaction back; objects that it inserted become invalid.
    func cancelWrite() {
        guard transaction.isOpen else {
            misuse("A write was cancelled in a realm that is not in a write transaction.")
        }
        transaction.cancelInsertions()
        reading(or: ()) { () throws(Realm.Error) in try store.rollbackWriting() }
        endTransaction()
    }

    private func endTransaction() {
        reading(or: ()) { () throws(Realm.Error) in try recording.releasePast() }
        transaction.end()
        asyncWrites.giveWriteLockBack(in: self)
        notifications.didEndTransaction()
        removeAccessor()
    }
}
