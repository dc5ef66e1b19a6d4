import Synchronization

/// The version that an instance reads: when it is pinned and released.
///
/// A version is pinned for a run-loop turn: all that one piece of work on the instance's executor reads is of one version, and
/// nothing is pinned while the executor does something else. The next turn begins with the newest version.
final class InstanceVersion {
    let store: StoreConnection
    let file: FileCoordinator
    let transaction: InstanceTransaction
    let isFrozen: Bool
    private let observer: InstanceObserver
    private let confinement: Confinement
    /// Grows with `invalidate()`: objects of an earlier epoch are gone.
    @exclusivity(unchecked)
    private(set) var epoch: UInt64 = 0
    /// Whether the end of the run-loop turn is scheduled.
    private var isTurnScheduled = false
    /// The blocks that want to know whether a read failed.
    var guardedReads = GuardedReads()
    /// Whether the instance moves to the newest version by itself.
    var autorefresh = true {
        didSet {
            let patience = autorefresh ? IdleVersions.patience : IdleVersions.longPatience
            store.pin.patience.store(patience, ordering: .relaxed)
        }
    }

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
        self.observer = observer
        self.transaction = transaction
        self.isFrozen = isFrozen
        if !isFrozen { store.didPin = { [weak self] in self?.beginTurn() } }
    }

    // MARK: Turns

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
        if store.isReading { beginTurn() }
    }

    /// Lets the running thread read the pinned version without further checks, until the end of the turn.
    private func beginTurn() {
        if confinement.remembersThread { store.setReader(.current) }
        observer.noticeOpening()
        IdleVersions.shared.watch(store)
        guard confinement.canSchedule, !isTurnScheduled else { return }
        isTurnScheduled = true
        let version = Weak(self)
        confinement.scheduleNext { version.object?.endTurn() }
    }

    /// Releases the version; run by the executor after the work that pinned it.
    ///
    /// An instance that does not refresh by itself keeps its version until it was idle for a while, and so does an open
    /// transaction.
    private func endTurn() {
        isTurnScheduled = false
        store.setReader(.none)
        guard !transaction.isOpen, autorefresh else { return }
        do throws(Realm.Error) {
            try store.endReading()
        } catch {
            misuse("The realm '\(file.path)' cannot be read any more: \(error.message)")
        }
    }

    // MARK: Moving

    /// Pins the newest version.
    func moveToNewest() {
        reading(or: ()) { () throws(Realm.Error) in
            try store.endReading()
            try store.beginReading()
        }
    }

    /// Releases the pinned version; every object becomes invalid.
    func invalidate() {
        epoch += 1
        reading(or: ()) { () throws(Realm.Error) in try store.endReading() }
        store.invalidateRows()
    }
}
