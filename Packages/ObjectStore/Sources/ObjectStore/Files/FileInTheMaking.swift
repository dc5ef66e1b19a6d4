import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that has its name only once it is whole, and never replaces another.
enum FileInTheMaking {
    /// Lets a body write a temporary file, and gives that its name.
    ///
    /// - Throws: ``Realm/Error`` with `.fileExists` when the name is taken, what the body throws, or why the file cannot
    ///   be made; no file is left behind then.
    static func make(at path: String, _ body: (URL) throws(Realm.Error) -> Void) throws(Realm.Error) {
        let url = URL(fileURLWithPath: path)
        guard access(path, F_OK) != 0 else { throw exists(url) }
        let pattern = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).XXXXXX")
        var template = Array(pattern.path.utf8CString)
        // Only the owner may read it.
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw RealmFile.failure(errno, url) }
        close(descriptor)
        let made = URL(
            fileURLWithPath: String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        )
        defer { unlink(made.path) }
        try body(made)
        try publish(made.path, as: url)
        try sync(url.deletingLastPathComponent())
    }

    private static func publish(_ made: String, as url: URL) throws(Realm.Error) {
        if link(made, url.path) == 0 { return }
        switch errno {
        case EEXIST: throw exists(url)
        case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS:
            // A file system without links.
            guard access(url.path, F_OK) != 0 else { throw exists(url) }
            guard rename(made, url.path) == 0 else { throw RealmFile.failure(errno, url) }
        default: throw RealmFile.failure(errno, url)
        }
    }

    /// Makes the name durable.
    private static func sync(_ folder: URL) throws(Realm.Error) {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw RealmFile.failure(errno, folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw RealmFile.failure(errno, folder) }
    }

    private static func exists(_ url: URL) -> Realm.Error {
        Realm.Error(.fileExists, "There is a file '\(url.path)' already, which is not replaced.", fileURL: url)
    }
}
