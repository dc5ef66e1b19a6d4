import AuditModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Keeps other servers from a data folder until it is released, or the process ends in whatever way.
public final class DataFolderLock: Sendable {
    private let descriptor: Int32

    init(_ path: String, of folder: String) throws(AuditServerError) {
        guard let descriptor = try PrivateFile.lock(path) else {
            throw .inaccessible(
                path: folder,
                reason:
                    "another server uses it; stop that one, or start with --ignore-lock when there is none, as on a "
                    + "network file system that remembers the lock of a machine that is gone"
            )
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
