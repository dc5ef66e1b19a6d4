/// The file system at the level of POSIX: what the event files need of it, so that tests can make any call fail.
///
/// Safe to call from any thread. Paths are absolute. A call that throws may have done a part of its work, as the
/// system's calls do; the caller decides what is still true.
public protocol FileSystem: Sendable {
    /// Makes a directory and the missing ones above it, each readable by its owner alone: mode 0700.
    ///
    /// A directory that exists already is left as it is. Directories made here are durable once the one above each has
    /// been synced, which the call does.
    func makeDirectory(_ path: String) throws(FileSystemError)

    /// Opens a file.
    ///
    /// A last component that is a symbolic link is refused. A file that is created gets mode 0600.
    func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> any OpenFile

    /// Describes what is at a path, without following a symbolic link; nil when nothing is.
    func status(_ path: String) throws(FileSystemError) -> FileStatus?

    /// Says whether anything is at a path that can be reached, a symbolic link followed.
    ///
    /// Cheaper than ``status(_:)``, and for the next sync as well: a system that hands out the time of a change notes a new
    /// one at the next change, which the sync has to write.
    func exists(_ path: String) throws(FileSystemError) -> Bool

    /// Lists the names in a directory, without `.` and `..`, in no order.
    func list(_ directory: String) throws(FileSystemError) -> [String]

    /// Gives a file another name in one step, replacing what had it; durable after ``syncDirectory(_:)``.
    func rename(_ path: String, to newPath: String) throws(FileSystemError)

    /// Removes a file; durable after ``syncDirectory(_:)``.
    func remove(_ path: String) throws(FileSystemError)

    /// Makes created, renamed and removed names of a directory durable.
    func syncDirectory(_ path: String) throws(FileSystemError)
}

/// How a file is opened.
public enum FileAccess: Sendable, Hashable {
    /// Reads a file that exists.
    case read
    /// Reads and writes a file that exists.
    case write
    /// Reads and writes a file, which is created when it is missing.
    case writeOrCreate
    /// Reads and writes a file that must not exist yet.
    case create
}

/// What is at a path.
public struct FileStatus: Sendable, Hashable {
    /// The kinds of things that a path names.
    public enum Kind: Sendable, Hashable {
        case file
        case directory
        case symbolicLink
        case other
    }

    /// What is there; a symbolic link is not followed.
    public let kind: Kind
    /// The size in bytes.
    public let size: UInt64
    /// The permission bits, such as 0o600.
    public let permissions: UInt16

    /// Creates a status, for a file system that is not the machine's.
    public init(kind: Kind, size: UInt64, permissions: UInt16) {
        self.kind = kind
        self.size = size
        self.permissions = permissions
    }
}
