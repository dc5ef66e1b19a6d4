import EventModel

/// The write transaction of an instance: whether one is open, and what it did so far.
final class InstanceTransaction {
    /// The open transaction.
    @exclusivity(unchecked)
    private(set) var open: WriteTransaction?
    /// What waits while objects are added.
    @exclusivity(unchecked)
    var deferred = DeferredWrites()
    private let file: FileCoordinator
    private let store: StoreConnection
    private let observer: InstanceObserver
    private let isReadOnly: Bool
    private let isFrozen: Bool

    init(
        _ file: FileCoordinator,
        _ store: StoreConnection,
        _ observer: InstanceObserver,
        isReadOnly: Bool,
        isFrozen: Bool
    ) {
        self.file = file
        self.store = store
        self.observer = observer
        self.isReadOnly = isReadOnly
        self.isFrozen = isFrozen
    }

    deinit {
        // An open transaction ends with the connection; only the lock that others wait for must be given back.
        if open != nil { file.writeLock.signal() }
    }

    @inline(__always)
    var isOpen: Bool { open != nil }

    /// Whether one is open in which something was written.
    @inline(__always)
    var hasChanges: Bool { open?.hasChanges ?? false }

    /// Whether one is open in which something could not be read.
    var lacksData: Bool { open?.lacksData ?? false }

    /// What the objects share that the open transaction inserts; nil outside of one.
    func neededInsertion() -> Insertion? { open?.neededInsertion() }

    // MARK: Beginning and ending

    func begin(isMigration: Bool = false) { open = WriteTransaction(isMigration: isMigration) }

    /// Makes the objects invalid that the transaction inserted, because it will be rolled back.
    func cancelInsertions() { open?.insertion?.isCancelled = true }

    func end() { open = nil }

    // MARK: Mutations

    /// Whether a mutation may go on; traps outside a write, and skips it in a doomed one.
    @inline(__always)
    func mayMutate(named action: () -> String) -> Bool {
        guard open != nil else {
            if isFrozen { misuse("The attempt to \(action()) failed: it is frozen; call 'thaw()' and change that.") }
            if isReadOnly { misuse("The attempt to \(action()) failed: the realm was opened read-only.") }
            misuse("The attempt to \(action()) was made outside of a write transaction; call 'realm.write { … }'.")
        }
        return open?.firstError == nil
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
        if open?.firstError == nil { open?.firstError = error }
    }

    /// Dooms the transaction because something could not be read in it.
    func doom(unreadable error: Realm.Error) {
        open?.lacksData = true
        doom(error)
    }

    // MARK: What was changed

    /// Notes that something was written.
    func didChange() { open?.hasChanges = true }

    func didInsert(_ table: ClassTable, key: Int64) {
        didChange()
        store.invalidateRow(key, of: table)
    }

    func didModify(_ core: ObjectCore, _ slot: Int) {
        let table = core.table
        if table.schema.properties[slot].isColumn {
            table.touchedCells?.didWrite(table, core.key, slot)
            didModify(table, key: core.key, slot)
        } else {
            didChange()
            store.invalidateCollection(core.key, of: table)
            touch(table, core.key, SlotSet(slot))
        }
        guard let parent = core.parent, observer.current != nil, !core.table.isNew(core.key) else { return }
        core.table.touched.parents[core.key] = parent
    }

    func didModify(_ table: ClassTable, key: Int64, _ slot: Int) {
        didModify(table, key: key, SlotSet(slot))
    }

    func didModify(_ table: ClassTable, key: Int64, _ slots: SlotSet) {
        didChange()
        store.invalidateRow(key, of: table)
        touch(table, key, slots)
    }

    private func touch(_ table: ClassTable, _ key: Int64, _ slots: SlotSet) {
        guard !table.isNew(key) else { return }
        table.touched.modify(key, slots, isExact: observer.current != nil)
    }

    func didDelete(_ table: ClassTable, key: Int64) {
        didChange()
        store.invalidateRow(key, of: table)
        table.touched.hasDeletions = true
        guard observer.current != nil, !table.isNew(key) else { return }
        table.touched.deleted.insert(key)
    }

    /// Notes that every object of a class was deleted.
    func didDeleteAll(_ table: ClassTable, _ keys: ArraySlice<Int64>) {
        didChange()
        store.invalidateRows(of: table)
        table.touched.hasDeletions = true
        guard observer.current != nil else { return }
        for key in keys where !table.isNew(key) { table.touched.deleted.insert(key) }
    }

    /// Notes that a property was changed that the instance does not manage.
    func didModify(_ place: PropertyPlace, key: Int64) {
        guard let table = store.table(named: place.className) else {
            didChange()
            store.touchedUnmanaged[place.className, default: TouchedRows()].modify(key, .all, isExact: false)
            return
        }
        didModify(table, key: key, .all)
    }

    /// Notes that objects of a class were deleted that the instance does not manage.
    func didDelete(unmanaged className: String) {
        didChange()
        store.touchedUnmanaged[className, default: TouchedRows()].hasDeletions = true
    }
}
