#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The calls by which a copy takes the place of a file, so that tests can cut the power between any two.
///
/// Each gives 0, or the system's number of what went wrong.
struct ReplacementCalls: Sendable {
    /// Waits until what is in a file, or the names in a folder, are on the disk.
    var sync: @Sendable (_ path: String) -> Int32
    /// Removes the name of a file.
    var remove: @Sendable (_ path: String) -> Int32
    /// Gives a file the name of another one, which goes.
    var move: @Sendable (_ path: String, _ place: String) -> Int32

    /// Those of the system.
    static let system = ReplacementCalls(
        sync: { path in
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return errno }
            defer { close(descriptor) }
            // Some file systems cannot wait for a folder, and say so by this number.
            return fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno
        },
        remove: { unlink($0) == 0 ? 0 : errno },
        move: { rename($0, $1) == 0 ? 0 : errno }
    )
}
