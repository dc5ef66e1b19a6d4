import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A lock on a file that is there for nothing else; the system releases it with the process that has it, however that ends.
final class LockFile: Sendable {
    let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Takes the lock if nobody has it in the way.
    ///
    /// - Parameters:
    ///   - path: The file, which is made if there is none; only its owner may use it.
    ///   - kind: `LOCK_SH` to share it, `LOCK_EX` to have it alone.
    /// - Returns: The lock; nil when somebody else has it.
    /// - Throws: ``Realm/Error`` when the file cannot be made.
    static func lock(_ path: String, _ kind: Int32) throws(Realm.Error) -> LockFile? {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw RealmFile.failure(errno, URL(fileURLWithPath: path)) }
            let file = LockFile(descriptor)
            guard flock(descriptor, kind | LOCK_NB) == 0 else {
                if errno == EINTR { continue }
                if errno == EWOULDBLOCK { return nil }
                throw RealmFile.failure(errno, URL(fileURLWithPath: path))
            }
            // Whoever deleted the realm deleted the lock file, too: a lock on that file would mean nothing.
            if file.isFile(at: path) { return file }
        }
    }

    /// Deletes the file of a lock; for whoever has it alone.
    static func remove(_ path: String) throws(Realm.Error) {
        guard unlink(path) == 0 || errno == ENOENT else { throw RealmFile.failure(errno, URL(fileURLWithPath: path)) }
    }

    private func isFile(at path: String) -> Bool {
        var own = stat()
        var named = stat()
        guard fstat(descriptor, &own) == 0, stat(path, &named) == 0 else { return false }
        return own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }
}
