import Dispatch
import Synchronization

/// One request for a ``WriteLock``.
final class WriteTicket: Sendable {
    private let granted = DispatchSemaphore(value: 0)
    private let hasLock = Atomic<Bool>(false)
    private let didGrant: @Sendable () -> Void

    init(_ didGrant: @escaping @Sendable () -> Void) { self.didGrant = didGrant }

    /// Whether the lock was granted.
    var isGranted: Bool { hasLock.load(ordering: .acquiring) }

    /// Waits until the lock is granted; at once when it was.
    func wait() {
        granted.wait()
        granted.signal()
    }

    func grant() {
        hasLock.store(true, ordering: .releasing)
        granted.signal()
        didGrant()
    }
}
