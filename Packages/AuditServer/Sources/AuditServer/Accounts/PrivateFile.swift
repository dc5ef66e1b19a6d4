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

/// Files that only their owner may read: keys, tokens and the database.
package enum PrivateFile {
    /// Makes a folder with mode 0700, and the missing ones above it.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when it is not a folder afterwards.
    package static func makeFolder(_ path: String) throws(AuditServerError) {
        if mkdir(path, 0o700) == 0 { return }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try makeFolder(String(path[..<slash]))
            if mkdir(path, 0o700) == 0 { return }
        }
        let code = errno
        var status = stat()
        guard code == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw failure(path, code == EEXIST ? ENOTDIR : code)
        }
    }

    /// Returns whether there is something at a path.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns whether there is a folder at a path.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Makes an empty file unless there is one.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when it cannot be written.
    package static func createIfMissing(_ path: String) throws(AuditServerError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno) }
        close(descriptor)
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

    /// Replaces a file in one step.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when it cannot be written; an older file stays.
    package static func write(_ bytes: [UInt8], to path: String) throws(AuditServerError) {
        let unfinished = "\(path).\(getpid()).new"
        unlink(unfinished)
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno) }
        var isWritten = false
        defer {
            close(descriptor)
            if !isWritten { unlink(unfinished) }
        }
        var count = 0
        while count < bytes.count {
            let length = bytes.count - count
            #if canImport(Darwin)
            let written = bytes.withUnsafeBytes {
                Darwin.write(descriptor, $0.baseAddress?.advanced(by: count), length)
            }
            #elseif canImport(Glibc)
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress?.advanced(by: count), length) }
            #elseif canImport(Musl)
            let written = bytes.withUnsafeBytes { Musl.write(descriptor, $0.baseAddress?.advanced(by: count), length) }
            #endif
            guard written > 0 else { throw failure(path, errno) }
            count += written
        }
        guard fsync(descriptor) == 0, rename(unfinished, path) == 0 else { throw failure(path, errno) }
        isWritten = true
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
