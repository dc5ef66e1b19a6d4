import Synchronization

/// What other threads may know of an instance: whether it wants to hear of commits, and how to notify it.
final class InstanceMailbox: Sendable {
    private let instance: Mutex<Weak<RealmCore>?> = Mutex(nil)
    private let place: Confinement
    private let broadcast: CommitBroadcast
    private let isWoken = Atomic<Bool>(false)

    init(_ broadcast: CommitBroadcast, _ place: Confinement) {
        self.broadcast = broadcast
        self.place = place
    }

    /// Whether work can be run on the instance's executor.
    var canSchedule: Bool { place.canSchedule }

    /// Names the instance that is woken.
    func serve(_ core: RealmCore) {
        let core = Weak(core)
        instance.withLock { $0 = core }
    }

    /// Lets the instance look for news soon; several calls before it does are one.
    func wake() {
        guard place.canSchedule, !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        place.schedule { [self] in
            isWoken.store(false, ordering: .releasing)
            instance.withLock { $0 }?.object?.notifications.lookForNews()
        }
    }

    // MARK: Interest

    func didBeginObserving() { broadcast.beginWatching(self) }

    func didEndObserving() { broadcast.endWatching(self) }
}
