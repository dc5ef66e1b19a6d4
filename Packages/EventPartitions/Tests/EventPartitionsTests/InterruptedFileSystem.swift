import EventModel
import EventPartitions
import Synchronization

/// A file system on which something happens just before a directory is listed, as another thread would do it.
final class InterruptedFileSystem: FileSystem {
    private let base = POSIXFileSystem()
    private let interruption = Mutex<(remaining: Int, body: @Sendable () -> Void)?>(nil)

    /// Runs the closure before one of the next listings.
    func interrupt(listing number: Int, _ body: @escaping @Sendable () -> Void) {
        interruption.withLock { $0 = (number, body) }
    }

    func list(_ directory: String) throws(FileSystemError) -> [String] {
        let due = interruption.withLock { interruption -> (@Sendable () -> Void)? in
            guard let (remaining, body) = interruption else { return nil }
            interruption = remaining > 1 ? (remaining - 1, body) : nil
            return remaining == 1 ? body : nil
        }
        due?()
        return try base.list(directory)
    }

    func makeDirectory(_ path: String) throws(FileSystemError) { try base.makeDirectory(path) }

    func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> any OpenFile {
        try base.open(path, access)
    }

    func status(_ path: String) throws(FileSystemError) -> FileStatus? { try base.status(path) }

    func exists(_ path: String) throws(FileSystemError) -> Bool { try base.exists(path) }

    func rename(_ path: String, to newPath: String) throws(FileSystemError) { try base.rename(path, to: newPath) }

    func remove(_ path: String) throws(FileSystemError) { try base.remove(path) }

    func syncDirectory(_ path: String) throws(FileSystemError) { try base.syncDirectory(path) }
}
