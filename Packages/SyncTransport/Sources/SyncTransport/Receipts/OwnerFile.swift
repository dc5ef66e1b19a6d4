#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A small file that its owner alone can read, mode 0600, in a folder that is made with it.
struct OwnerFile: Sendable {
    /// The failure of a system call, by its number.
    struct Failure: Error {
        let number: Int32

        var text: String { String(cString: strerror(number)) }
    }

    /// The absolute path.
    let path: String

    /// Reads the file; nil when there is none.
    func read() throws(Failure) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure(number: errno)
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = chunk.withUnsafeMutableBytes { unsafe in
                #if canImport(Darwin)
                Darwin.read(file, unsafe.baseAddress, unsafe.count)
                #elseif canImport(Glibc)
                Glibc.read(file, unsafe.baseAddress, unsafe.count)
                #else
                Musl.read(file, unsafe.baseAddress, unsafe.count)
                #endif
            }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw Failure(number: errno)
            }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// The size in bytes; nil when there is no file that can be looked at.
    var size: Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Removes the file; returns whether there was one.
    func remove() -> Bool { unlink(path) == 0 }

    /// Appends bytes and returns when they are on the disk.
    ///
    /// - Returns: The size of the file after it.
    func append(_ bytes: [UInt8]) throws(Failure) -> Int {
        try write(bytes, O_APPEND)
    }

    /// Replaces the file in one step.
    ///
    /// Waits while another process replaces it: what is half written has one name, and is never taken for the other's whole.
    func replace(with bytes: [UInt8]) throws(Failure) {
        try Self.makeFolder(Self.folder(of: path))
        let lock = open("\(path).lock", O_RDONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Failure(number: errno) }
        // The system gives the lock back, also when the process dies.
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Failure(number: errno) }
        }
        let unfinished = OwnerFile(path: "\(path).new")
        // Left over by a process that died.
        unlink(unfinished.path)
        _ = try unfinished.write(bytes, O_EXCL)
        try unfinished.rename(to: path)
    }

    /// Gives the file another name, which another file may have had.
    func rename(to newPath: String) throws(Failure) {
        #if canImport(Darwin)
        let result = Darwin.rename(path, newPath)
        #elseif canImport(Glibc)
        let result = Glibc.rename(path, newPath)
        #else
        let result = Musl.rename(path, newPath)
        #endif
        guard result == 0 else { throw Failure(number: errno) }
        let folder = open(Self.folder(of: newPath), O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw Failure(number: errno) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw Failure(number: errno) }
    }

    private func write(_ bytes: [UInt8], _ flags: Int32) throws(Failure) -> Int {
        try Self.makeFolder(Self.folder(of: path))
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o600)
        guard file >= 0 else { throw Failure(number: errno) }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...]
                .withUnsafeBytes { unsafe in
                    #if canImport(Darwin)
                    Darwin.write(file, unsafe.baseAddress, unsafe.count)
                    #elseif canImport(Glibc)
                    Glibc.write(file, unsafe.baseAddress, unsafe.count)
                    #else
                    Musl.write(file, unsafe.baseAddress, unsafe.count)
                    #endif
                }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw Failure(number: errno)
            }
            written += count
        }
        guard fsync(file) == 0 else { throw Failure(number: errno) }
        return Int(lseek(file, 0, SEEK_END))
    }

    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func makeFolder(_ path: String) throws(Failure) {
        guard !path.isEmpty, mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT else { throw Failure(number: errno) }
        try makeFolder(folder(of: path))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Failure(number: errno) }
    }
}
