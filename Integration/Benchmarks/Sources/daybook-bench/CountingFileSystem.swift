import Daybook
import Synchronization

/// The file system of the machine, which counts the bytes that are written.
final class CountingFileSystem: FileSystem {
    private let base = POSIXFileSystem()
    private let written = Mutex(0)

    /// How many bytes were given to the system.
    var bytesWritten: Int { written.withLock(\.self) }

    func makeDirectory(_ path: String) throws(FileSystemError) { try base.makeDirectory(path) }

    func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> any OpenFile {
        CountingFile(base: try base.open(path, access)) { count in self.written.withLock { $0 += count } }
    }

    func status(_ path: String) throws(FileSystemError) -> FileStatus? { try base.status(path) }

    func exists(_ path: String) throws(FileSystemError) -> Bool { try base.exists(path) }

    func list(_ directory: String) throws(FileSystemError) -> [String] { try base.list(directory) }

    func rename(_ path: String, to newPath: String) throws(FileSystemError) { try base.rename(path, to: newPath) }

    func remove(_ path: String) throws(FileSystemError) { try base.remove(path) }

    func syncDirectory(_ path: String) throws(FileSystemError) { try base.syncDirectory(path) }
}

private final class CountingFile: OpenFile {
    private let base: any OpenFile
    private let didWrite: @Sendable (Int) -> Void

    init(base: any OpenFile, didWrite: @escaping @Sendable (Int) -> Void) {
        self.base = base
        self.didWrite = didWrite
    }

    func size() throws(FileSystemError) -> UInt64 { try base.size() }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
        try base.read(into: buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
        let count = try base.write(bytes, at: offset)
        didWrite(count)
        return count
    }

    func synchronize() throws(FileSystemError) { try base.synchronize() }

    func truncate(to size: UInt64) throws(FileSystemError) { try base.truncate(to: size) }

    func lock(waiting: Bool) throws(FileSystemError) -> Bool { try base.lock(waiting: waiting) }

    func close() { base.close() }
}
