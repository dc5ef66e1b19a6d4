import Synchronization

/// One handler of one instance, with the version that it was notified of last.
///
/// It belongs to the executor of its instance; only ``cancel()`` may be called from elsewhere.
class ChangeObservation {
    let realm: RealmCore
    /// The version that the handler knows; meaningless before the initial call.
    final var version: UInt64
    /// Whether the handler is running, so that a delivery inside of it leaves it alone.
    final var isRunning = false
    private let cancellation: Cancellation

    init(_ realm: RealmCore) {
        self.realm = realm
        version = realm.store.version
        cancellation = Cancellation(realm.notifications.mailbox)
    }

    deinit {
        cancellation.cancel()
    }

    /// Ends the delivery, on any thread.
    final func cancel() { cancellation.cancel() }

    final var isCancelled: Bool { cancellation.isCancelled }

    /// Whether the first call is still to come, which a write must not hasten.
    var awaitsInitialCall: Bool { false }

    /// Tells the handler what happened up to the version that is read, if that concerns it.
    func deliver() {}

    /// Finds out what the handler would know at the version that the open transaction makes.
    ///
    /// - Returns: What makes the observation skip that version once it is durable.
    func skip(_ version: UInt64) -> () -> Void { {} }
}

/// Ends an observation once, whoever asks first, and lets its instance know.
final class Cancellation: Sendable {
    private let isDone = Atomic<Bool>(false)
    private let mailbox: InstanceMailbox

    init(_ mailbox: InstanceMailbox) {
        self.mailbox = mailbox
        mailbox.didBeginObserving()
    }

    var isCancelled: Bool { isDone.load(ordering: .acquiring) }

    func cancel() {
        if !isDone.exchange(true, ordering: .acquiringAndReleasing) { mailbox.didEndObserving() }
    }
}
