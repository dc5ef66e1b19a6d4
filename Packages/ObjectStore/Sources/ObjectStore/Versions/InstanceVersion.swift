import Synchronization

/// The version that an instance reads: who may read it, and when it moves; ``RunLoopTurn`` says how long it stays pinned.
final class InstanceVersion {
    let store: StoreConnection
    let file: FileCoordinator
    let transaction: InstanceTransaction
    let isFrozen: Bool
    private let confinement: Confinement
    /// The blocks that want to know whether a read failed.
    var guardedReads = GuardedReads()
    /// The work that the version is pinned for.
    let turn: RunLoopTurn

    init(
        _ file: FileCoordinator,
        _ store: StoreConnection,
        _ confinement: Confinement,
        _ observer: InstanceObserver,
        _ transaction: InstanceTransaction,
        isFrozen: Bool
    ) {
        self.file = file
        self.store = store
        self.confinement = confinement
        self.transaction = transaction
        self.isFrozen = isFrozen
        turn = RunLoopTurn(file, store, confinement, observer, transaction)
        if !isFrozen { store.didPin = { [weak turn] in turn?.begin() } }
    }

    // MARK: Reading

    /// Traps outside of the executor that the instance is confined to.
    @inline(__always)
    func checkThread() {
        if store.reader.load(ordering: .relaxed) != ConfinedThread.current.bits { checkExecutor() }
    }

    /// Checks the executor when the running thread is not known to be that of it.
    @inline(never)
    private func checkExecutor() {
        if isFrozen { return }
        confinement.check("The realm '\(file.path)'")
        if store.isReading { turn.begin() }
    }

    // MARK: Moving

    /// Pins the newest version.
    func moveToNewest() {
        reading(or: ()) { () throws(Realm.Error) in
            try store.endReading()
            try store.beginReading()
        }
    }

    /// Releases the pinned version, and lets every row be read again.
    func release() {
        reading(or: ()) { () throws(Realm.Error) in try store.endReading() }
        store.invalidateRows()
    }
}
