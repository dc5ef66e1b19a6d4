package import EventModel

// On Linux the compiler may see the declaration of `stat` there first.
#if canImport(CDispatch)
import CDispatch
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Files that only their owner may read: keys, tokens, exports and the database.
///
/// What is written is on the disk with its name when the call returns, by the same calls as on a device.
package enum PrivateFile {
    // LIVE: the server's own files lie on the machine's disk.
    private static let disk = POSIXFileSystem()

    /// Makes a folder with mode 0700, and the missing ones above it, and returns when their names are on the disk.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when it is not a folder afterwards.
    package static func makeFolder(_ path: String) throws(AuditServerError) {
        do throws(FileSystemError) {
            try disk.makeDirectory(path)
        } catch {
            throw .inaccessible(path: path, reason: error.reason)
        }
        guard isFolder(path) else { throw failure(path, ENOTDIR) }
    }

    /// Returns the name of a file or a folder that is being made; what is left there is deleted, so that it is no name that users give.
    package static func unfinished(_ path: String) -> String { "\(path).daybook-unfinished" }

    /// Returns whether there is something at a path.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns whether this user may make files in a folder.
    package static func mayWrite(into path: String) -> Bool { access(path, W_OK | X_OK) == 0 }

    /// Returns whether there is a folder at a path.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Makes the empty file of a database unless there is one, and keeps everybody but its owner from one that is there.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when it cannot be written, or is no file of this folder: a link
    ///   would have the database somewhere else, where others may read it. So it is for the files that SQLite puts beside it.
    package static func createIfMissing(_ path: String) throws(AuditServerError) {
        for suffix in ["-wal", "-shm", "-journal"] { try refuseLink(path + suffix) }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw errno == ELOOP ? linkRefusal(path) : failure(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .inaccessible(path: path, reason: "it is no file") }
        if status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 { throw failure(path, errno) }
    }

    /// Refuses a symbolic link.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)``.
    package static func refuseLink(_ path: String) throws(AuditServerError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
        throw linkRefusal(path)
    }

    /// Refuses a folder that others may write to: whoever can put a file into it can put another in the place of ours.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)``.
    package static func refuseSharedFolder(_ path: String) throws(AuditServerError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & 0o022 == 0 else {
            throw .inaccessible(path: path, reason: "others may write to it; take that away with 'chmod go-w'")
        }
    }

    /// Refuses a file that others than its owner may read or write.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)``.
    package static func refuseShared(_ path: String) throws(AuditServerError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & 0o077 == 0 else {
            throw .inaccessible(path: path, reason: "others may read it; take that away with 'chmod go='")
        }
    }

    private static func linkRefusal(_ path: String) -> AuditServerError {
        .inaccessible(path: path, reason: "it is a symbolic link; put the file itself there, or name its folder")
    }

    /// Takes the lock of a file, which is made if it is missing, for as long as the process lives or the descriptor is open.
    ///
    /// - Returns: The descriptor; nil when another process has the lock.
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when the file cannot be used.
    package static func lock(_ path: String) throws(AuditServerError) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw errno == ELOOP ? linkRefusal(path) : failure(path, errno) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        let code = errno
        close(descriptor)
        guard code == EWOULDBLOCK else { throw failure(path, code) }
        return nil
    }

    /// Reads a small file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The most bytes that it may have; 64 KiB by default.
    /// - Returns: The bytes, or nil when there is no such file.
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when it cannot be read, or has more: a part of it may mean
    ///   something else than the whole.
    package static func read(_ path: String, upTo limit: Int = 65_536) throws(AuditServerError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw failure(path, errno) }
            return nil
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let length = bytes.count - count
            #if canImport(Darwin)
            let read = bytes.withUnsafeMutableBytes {
                Darwin.read(descriptor, $0.baseAddress?.advanced(by: count), length)
            }
            #elseif canImport(Glibc)
            let read = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), length)
            }
            #elseif canImport(Musl)
            let read = bytes.withUnsafeMutableBytes {
                Musl.read(descriptor, $0.baseAddress?.advanced(by: count), length)
            }
            #endif
            guard read >= 0 else { throw failure(path, errno) }
            if read == 0 { break }
            count += read
        }
        guard count <= limit else { throw .inaccessible(path: path, reason: "it has more than \(limit) bytes") }
        return Array(bytes.prefix(count))
    }

    /// Puts a file in the place of the one before in one step, and returns when it is on the disk with its name.
    ///
    /// Processes that write the same file at once do not disturb each other: the last one's stays.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - path: The file.
    ///   - replaces: Whether a file that is there is replaced; true by default.
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when it cannot be written, or there is one that is not to be
    ///   replaced; an older file stays.
    package static func write(
        _ bytes: [UInt8],
        to path: String,
        replacing replaces: Bool = true
    ) throws(AuditServerError) {
        let unfinished = "\(path).\(getpid()).new"
        unlink(unfinished)
        defer { unlink(unfinished) }
        do throws(FileSystemError) {
            try disk.createFile(at: unfinished, with: bytes)
            if replaces {
                try disk.rename(unfinished, to: path)
            } else if link(unfinished, path) != 0 {
                // A link takes no place that is taken.
                throw FileSystemError(.rename, path: path, code: errno)
            }
            try disk.syncDirectory(FilePaths.parent(of: path))
        } catch {
            throw .inaccessible(path: path, reason: error.reason)
        }
    }

    /// Gives a folder its name, and returns when that and the names of its files are on the disk.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when there is something else at the path, or a call fails.
    package static func rename(folder unfinished: String, to path: String) throws(AuditServerError) {
        do throws(FileSystemError) {
            try disk.syncDirectory(unfinished)
            try disk.rename(unfinished, to: path)
            try disk.syncDirectory(FilePaths.parent(of: path))
        } catch {
            throw .inaccessible(path: path, reason: error.reason)
        }
    }

    /// Gives a file that is on the disk its name, and returns when that is there, too.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when there is a file at the path, or a call fails.
    package static func rename(file unfinished: String, to path: String) throws(AuditServerError) {
        do throws(FileSystemError) {
            // A link takes no place that is taken.
            guard link(unfinished, path) == 0 else { throw FileSystemError(.rename, path: path, code: errno) }
            unlink(unfinished)
            try disk.syncDirectory(FilePaths.parent(of: path))
        } catch {
            throw .inaccessible(path: path, reason: error.reason)
        }
    }

    /// Makes a file that only its owner may read, to be written to.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when it cannot be made, or there is one.
    package static func create(_ path: String) throws(AuditServerError) -> any OpenFile {
        do throws(FileSystemError) {
            return try disk.open(path, .create)
        } catch {
            throw .inaccessible(path: path, reason: error.reason)
        }
    }

    /// Removes a file if there is one.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when it cannot be removed.
    package static func removeIfPresent(_ path: String) throws(AuditServerError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure(path, errno) }
    }

    private static func failure(_ path: String, _ code: Int32) -> AuditServerError {
        .inaccessible(path: path, reason: String(cString: strerror(code)).lowercased())
    }
}
