import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file descriptor.
///
/// The owner must not close the file while another thread uses it: the number could already name another file.
final class POSIXFile: OpenFile {
    private let path: String
    /// The descriptor; -1 once closed.
    private let descriptor: Atomic<Int32>

    init(_ descriptor: Int32, path: String) {
        self.descriptor = Atomic(descriptor)
        self.path = path
    }

    deinit {
        close()
    }

    func size() throws(FileSystemError) -> UInt64 {
        var info = stat()
        try call(.size) { Int(fstat($0, &info)) }
        return UInt64(info.st_size)
    }

    /// Whether it is a file in the narrow sense, not a directory, pipe or device.
    func isRegular() throws(FileSystemError) -> Bool {
        var info = stat()
        try call(.open) { Int(fstat($0, &info)) }
        return info.st_mode & S_IFMT == S_IFREG
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
        try call(.read) { pread($0, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
        let count = try call(.write) { pwrite($0, bytes.baseAddress, bytes.count, off_t(offset)) }
        // POSIX does not rule out 0; a caller that loops until all is written must not spin on it.
        guard count > 0 || bytes.isEmpty else { throw FileSystemError(.write, path: path, code: EIO) }
        return count
    }

    func synchronize() throws(FileSystemError) {
        #if canImport(Darwin)
        // fsync on Apple's systems leaves the data in the drive's cache.
        try call(.synchronize) { Int(fcntl($0, F_FULLFSYNC)) }
        #else
        try call(.synchronize) { Int(fdatasync($0)) }
        #endif
    }

    func truncate(to size: UInt64) throws(FileSystemError) {
        try call(.truncate) { Int(ftruncate($0, off_t(size))) }
    }

    func lock(waiting: Bool) throws(FileSystemError) -> Bool {
        do {
            try call(.lock) { Int(flock($0, waiting ? LOCK_EX : LOCK_EX | LOCK_NB)) }
            return true
        } catch {
            guard error.code == EWOULDBLOCK else { throw error }
            return false
        }
    }

    func close() {
        let number = descriptor.exchange(-1, ordering: .acquiringAndReleasing)
        guard number >= 0 else { return }
        // Data is durable only after synchronize(), which reports its errors; close has nothing to add.
        #if canImport(Darwin)
        _ = Darwin.close(number)
        #elseif canImport(Glibc)
        _ = Glibc.close(number)
        #elseif canImport(Musl)
        _ = Musl.close(number)
        #endif
    }

    @discardableResult
    private func call(
        _ operation: FileSystemError.Operation,
        _ body: (Int32) -> Int
    ) throws(FileSystemError) -> Int {
        let number = descriptor.load(ordering: .acquiring)
        guard number >= 0 else { throw FileSystemError(operation, path: path, code: EBADF) }
        while true {
            let result = body(number)
            if result >= 0 { return result }
            let code = errno
            guard code == EINTR else { throw FileSystemError(operation, path: path, code: code) }
        }
    }
}
