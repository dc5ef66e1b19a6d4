import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tells other processes that this one uses a realm, by a lock on a file of its own beside the realm.
///
/// Users share the lock. Whoever has it alone may delete, compact or migrate the realm. The system releases the lock
/// of a process that ends in whatever way.
final class FileUse: Sendable {
    private let file: LockFile
    private var descriptor: Int32 { file.descriptor }

    /// How long to wait for a process that has the realm alone, in microseconds.
    private static let patience: UInt32 = 60_000_000
    /// How long to wait before asking again whether others have gone, in microseconds.
    private static let retryInterval: UInt32 = 5000
    /// How long to wait for somebody who is about to give the realm up, in microseconds.
    static let handoverPatience: UInt32 = 1_000_000

    private init(_ file: LockFile) { self.file = file }

    /// The lock file of a realm.
    static func path(of realm: String) -> String { "\(realm).lock" }

    /// Takes the lock: alone if nobody else has it, else with the others.
    ///
    /// - Returns: The use, and whether it is the only one.
    /// - Throws: ``Realm/Error`` when the lock file cannot be made, or somebody has had the realm alone for a minute.
    static func claim(_ realm: String) throws(Realm.Error) -> (use: FileUse, isAlone: Bool) {
        if let use = try alone(realm) { return (use, true) }
        var waited: UInt32 = 0
        while waited < patience {
            if let use = try lock(realm, LOCK_SH) { return (use, false) }
            // A lock that is busy cannot be waited for with a limit.
            let pause = min(100 + waited / 4, 20_000)
            usleep(pause)
            waited += pause
        }
        throw Realm.Error(
            .alreadyOpen,
            """
            Another process has been changing the whole realm '\(realm)', such as in a migration, for too long; try \
            again when it is done.
            """,
            fileURL: URL(fileURLWithPath: realm)
        )
    }

    /// Takes the lock unless anybody has it.
    ///
    /// - Parameters:
    ///   - realm: The path of the realm.
    ///   - patience: How long to wait for others to give it up, in microseconds; see ``becomeAlone(patience:)``.
    /// - Returns: The use; nil when others have it.
    /// - Throws: ``Realm/Error`` when the lock file cannot be made.
    static func alone(_ realm: String, patience: UInt32 = 0) throws(Realm.Error) -> FileUse? {
        try retrying(for: patience) { () throws(Realm.Error) in try lock(realm, LOCK_EX) }
    }

    /// Deletes the lock file of a realm that was deleted; for whoever has it alone.
    static func forget(_ realm: String) throws(Realm.Error) {
        try LockFile.remove(path(of: realm))
    }

    /// Waits a moment for being the only user.
    ///
    /// A program that is started in this moment may have a copy of a descriptor that was closed here already, and with it
    /// of the lock, until it begins to run.
    ///
    /// - Parameter patience: How long to wait, in microseconds.
    /// - Returns: Whether nobody else uses the realm now; if not, this use is over when another one took it alone.
    func becomeAlone(patience: UInt32 = handoverPatience) -> Bool {
        Self.retrying(for: patience) {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            // The attempt gave up the share that was there before.
            return flock(descriptor, LOCK_SH | LOCK_NB) == 0 ? nil : false
        } ?? false
    }

    /// Asks again and again whether others have gone.
    ///
    /// - Parameters:
    ///   - patience: For how long, in microseconds.
    ///   - attempt: Returns nil when it must be asked again.
    /// - Returns: What the attempt returned at last; nil when there was no more patience.
    /// - Throws: What the attempt throws.
    static func retrying<Result, Failure: Error>(
        for patience: UInt32,
        _ attempt: () throws(Failure) -> Result?
    ) throws(Failure) -> Result? {
        var waited: UInt32 = 0
        while true {
            if let result = try attempt() { return result }
            guard waited < patience else { return nil }
            usleep(retryInterval)
            waited += retryInterval
        }
    }

    /// Lets others use the realm, too.
    func share() {
        // Giving up what one has cannot fail.
        _ = flock(descriptor, LOCK_SH | LOCK_NB)
    }

    /// Lets those who watch the lock file know that a commit is visible.
    ///
    /// A byte is written to it. No time of a file is touched: a file system without a journal keeps the times of many
    /// files in one block, and the sync of the next commit would have to write that, too, which measured 45 us of 105.
    func touch() {
        var byte: UInt8 = 0
        // Where even a byte finds no room, others notice the commit with the next one that does.
        _ = pwrite(descriptor, &byte, 1, 0)
    }

    private static func lock(_ realm: String, _ kind: Int32) throws(Realm.Error) -> FileUse? {
        guard let file = try LockFile.lock(path(of: realm), kind) else { return nil }
        return FileUse(file)
    }
}
