import EventModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A small file that its owner alone can read, mode 0600, in a folder that is made with it.
///
/// Several processes may use it at once; each call is durable when it returns.
struct OwnerFile: Sendable {
    /// The failure of a system call, by its number.
    struct Failure: Error {
        let number: Int32

        var text: String { String(cString: strerror(number)) }
    }

    /// The absolute path.
    let path: String
    private let fileSystem: any FileSystem

    /// Names the file; nothing is made.
    init(path: String, in fileSystem: any FileSystem = POSIXFileSystem()) {
        self.path = path
        self.fileSystem = fileSystem
    }

    /// Reads the file; nil when there is none.
    func read() throws(Failure) -> [UInt8]? {
        do throws(FileSystemError) {
            let file = try fileSystem.open(path, .read)
            defer { file.close() }
            return try file.bytes(at: 0, count: Int(clamping: file.size()))
        } catch {
            if error.isMissing { return nil }
            throw Failure(number: error.code)
        }
    }

    /// The size in bytes; nil when there is no file that can be looked at.
    var size: Int? {
        // Whoever asks makes the file anew when it is not as it should be, whatever is in the way.
        (try? fileSystem.status(path)).map { Int(clamping: $0.size) }
    }

    /// Removes the file; returns whether there was one.
    func remove() -> Bool {
        do throws(FileSystemError) {
            try fileSystem.remove(path)
            return true
        } catch {
            return false
        }
    }

    /// Appends bytes and returns when they are on the disk.
    ///
    /// Waits while another process appends: neither is written over.
    ///
    /// - Returns: The size of the file after it.
    func append(_ bytes: [UInt8]) throws(Failure) -> Int {
        try naming { () throws(FileSystemError) in
            try fileSystem.makeDirectory(FilePaths.parent(of: path))
            let file = try fileSystem.open(path, .writeOrCreate)
            defer { file.close() }
            _ = try file.lock(waiting: true)
            let end = try file.size()
            try file.writeAll(bytes, at: end)
            try file.synchronize()
            return Int(clamping: end) + bytes.count
        }
    }

    /// Replaces the file in one step.
    ///
    /// Waits while another process replaces it: what is half written has one name, and is never taken for the other's whole.
    func replace(with bytes: [UInt8]) throws(Failure) {
        try naming { () throws(FileSystemError) in
            try fileSystem.makeDirectory(FilePaths.parent(of: path))
            let guardian = try fileSystem.open("\(path).lock", .writeOrCreate)
            // The system gives the lock back, also when the process dies.
            defer { guardian.close() }
            _ = try guardian.lock(waiting: true)
            try fileSystem.replaceFile(at: path, with: bytes)
        }
    }

    /// Gives the file another name, which another file may have had.
    func rename(to newPath: String) throws(Failure) {
        try naming { () throws(FileSystemError) in
            try fileSystem.rename(path, to: newPath)
            try fileSystem.syncDirectory(FilePaths.parent(of: newPath))
        }
    }

    /// Turns errors of the file system into this module's.
    private func naming<Result>(_ body: () throws(FileSystemError) -> Result) throws(Failure) -> Result {
        do throws(FileSystemError) {
            return try body()
        } catch {
            throw Failure(number: error.code)
        }
    }
}
