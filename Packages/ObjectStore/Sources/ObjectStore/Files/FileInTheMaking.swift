import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that has its name only once it is whole, and never replaces another that nobody keeps.
enum FileInTheMaking {
    /// Lets a body write a temporary file, and gives that its name.
    ///
    /// - Throws: ``Realm/Error`` with `.fileExists` when the name is taken, what the body throws, or why the file cannot
    ///   be made; no file is left behind then.
    static func make(at path: String, _ body: (URL) throws(Realm.Error) -> Void) throws(Realm.Error) {
        let url = URL(fileURLWithPath: path)
        guard access(path, F_OK) != 0 else { throw exists(url) }
        try make(beside: url) { made throws(Realm.Error) in
            try body(made)
            try publish(made.path, as: url)
        }
    }

    /// Lets a body write a temporary file, and gives it the name of another, which gets a new one before.
    ///
    /// Wherever a process ends, there is a whole file of the name: the old one, or the new one.
    ///
    /// - Parameters:
    ///   - path: The name that both files have, one after the other.
    ///   - suffix: What the old file's name gets behind its end; a number comes behind it if there is such a file.
    ///   - body: Writes the new file.
    /// - Throws: What the body throws, or why the files cannot have their names; the old file has its own then.
    static func replace(
        at path: String,
        keepingAs suffix: String,
        _ body: (URL) throws(Realm.Error) -> Void
    ) throws(Realm.Error) {
        let url = URL(fileURLWithPath: path)
        try make(beside: url) { made throws(Realm.Error) in
            try body(made)
            try keep(url, as: "\(path)\(suffix)")
            try sync(url.deletingLastPathComponent())
            guard rename(made.path, path) == 0 else { throw RealmFile.failure(errno, url) }
        }
    }

    /// Gives a file a second name.
    private static func keep(_ url: URL, as wanted: String) throws(Realm.Error) {
        var name = wanted
        var number = 1
        while link(url.path, name) != 0 {
            guard errno == EEXIST else { throw RealmFile.failure(errno, URL(fileURLWithPath: name)) }
            // An attempt that was cut off has given the name already.
            if isSame(url.path, name) { return }
            number += 1
            name = "\(wanted)-\(number)"
        }
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(left, &first) == 0, stat(right, &second) == 0 else { return false }
        return first.st_ino == second.st_ino && first.st_dev == second.st_dev
    }

    private static func make(
        beside url: URL,
        _ body: (URL) throws(Realm.Error) -> Void
    ) throws(Realm.Error) {
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
