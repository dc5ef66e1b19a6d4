import Synchronization

/// One piece of work on the executor of an instance, for which a version stays pinned.
///
/// All that it reads is of one version, and nothing is pinned while the executor does something else. The next turn begins with
/// the newest version. What is scheduled refers to this weakly and not to the instance, whose parts would all be slower to retain.
final class RunLoopTurn {
    private let file: FileCoordinator
    private let store: StoreConnection
    private let confinement: Confinement
    private let observer: InstanceObserver
    private let transaction: InstanceTransaction
    /// Whether the end is scheduled.
    private var isScheduled = false
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
        _ transaction: InstanceTransaction
    ) {
        self.file = file
        self.store = store
        self.confinement = confinement
        self.observer = observer
        self.transaction = transaction
    }

    /// Lets the running thread read the pinned version without further checks, until the end of the turn.
    func begin() {
        if confinement.remembersThread { store.setReader(.current) }
        observer.noticeOpening()
        IdleVersions.shared.watch(store)
        guard confinement.canSchedule, !isScheduled else { return }
        isScheduled = true
        let turn = Weak(self)
        confinement.scheduleNext { turn.object?.end() }
    }

    /// Releases the version; run by the executor after the work that pinned it.
    ///
    /// An instance that does not refresh by itself keeps its version until it was idle for a while, and so does an open
    /// transaction.
    private func end() {
        isScheduled = false
        store.setReader(.none)
        guard !transaction.isOpen, autorefresh else { return }
        do throws(Realm.Error) {
            try store.endReading()
        } catch {
            misuse("The realm '\(file.path)' cannot be read any more: \(error.message)")
        }
    }
}
