import EventModel

/// A file that is opened for each call and closed after it, so that thousands of them need no descriptor.
///
/// Only for files that nobody writes to any more: the calls that write or lock are refused.
final class ClosedFile: OpenFile {
    private let path: String
    private let fileSystem: any FileSystem

    init(_ path: String, in fileSystem: any FileSystem) {
        self.path = path
        self.fileSystem = fileSystem
    }

    func size() throws(FileSystemError) -> UInt64 {
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        return try file.size()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        return try file.read(into: buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
        preconditionFailure("A sealed partition is never written to.")
    }

    func synchronize() throws(FileSystemError) {
        preconditionFailure("A sealed partition is never written to.")
    }

    func truncate(to size: UInt64) throws(FileSystemError) {
        preconditionFailure("A sealed partition is never written to.")
    }

    func lock(waiting: Bool) throws(FileSystemError) -> Bool {
        preconditionFailure("Sealed partitions belong to whoever holds the lock of the folder's claims.")
    }

    func close() {}
}
