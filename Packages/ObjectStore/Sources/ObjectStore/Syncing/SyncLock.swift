import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The right to sync a file, which one process and one sync in it has at a time.
///
/// It ends with ``unlock()``, with the last reference, or with the process, in whatever way that ends. It lies in a file of its own beside
/// the realm, so that others write to the realm and are notified meanwhile.
///
/// ```swift
/// guard let lock = try store.lockForSync() else { return }    // another process syncs the file
/// defer { lock.unlock() }
/// ```
public final class SyncLock: Sendable {
    private let file: Mutex<LockFile?>

    private init(_ file: LockFile) { self.file = Mutex(file) }

    /// Lets the next one sync the file; nothing happens when that was done already.
    ///
    /// It may be called on any thread.
    public func unlock() { file.withLock { $0 = nil } }

    /// The lock file of a realm.
    private static func path(of realm: String) -> String { "\(realm).sync" }

    /// Takes the lock of a realm unless somebody has it.
    ///
    /// - Parameter realm: The path of the realm's file.
    /// - Returns: The lock; nil when another one has it, in this or another process.
    /// - Throws: ``Realm/Error`` when the lock file cannot be made.
    static func take(_ realm: String) throws(Realm.Error) -> SyncLock? {
        guard let file = try LockFile.lock(path(of: realm), LOCK_EX) else { return nil }
        return SyncLock(file)
    }

    /// Deletes the lock file of a realm that was deleted.
    static func forget(_ realm: String) throws(Realm.Error) { try LockFile.remove(path(of: realm)) }
}

extension LiveSyncedStore {
    /// Takes the lock that says who syncs the file, unless another one has it.
    ///
    /// It does not wait, and may be called on any thread. Without the lock a store can be read, and commits are seen.
    ///
    /// - Returns: The lock; nil when another sync has it, in this or another process.
    /// - Throws: ``Realm/Error`` when the store is closed or the lock file cannot be made.
    public func lockForSync() throws -> SyncLock? { try SyncLock.take(path()) }

    /// Waits until nobody else syncs the file, and takes the lock.
    ///
    /// The system tells nobody that a process ended, so that the lock is tried again and again; each attempt takes some microseconds. Of
    /// several that wait any one is the next. A cancelled task ends the waiting.
    ///
    /// - Parameters:
    ///   - interval: How long to wait between two attempts; one second by default.
    ///   - clock: Measures that; the continuous clock by default.
    /// - Returns: The lock.
    /// - Throws: ``Realm/Error`` when the store is closed or the lock file cannot be made, and what the clock throws when the task is
    ///   cancelled.
    public func waitForSync(
        pollingEvery interval: Duration = .seconds(1),
        clock: some Clock<Duration> = ContinuousClock()
    ) async throws -> SyncLock {
        while true {
            try Task.checkCancellation()
            if let lock = try lockForSync() { return lock }
            try await clock.sleep(for: interval)
        }
    }
}
