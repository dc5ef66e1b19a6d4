#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

/// An open file; closed, and its lock released, when the last reference goes or at ``close()``.
///
/// Safe to call from any thread; the order of concurrent calls is the caller's business.
public protocol OpenFile: AnyObject, Sendable {
    /// Returns the size in bytes.
    func size() throws(FileSystemError) -> UInt64

    /// Reads at an offset.
    ///
    /// - Returns: How many bytes were read; fewer than asked for only at the end of the file or after a short read, and
    ///   0 only at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int

    /// Writes at an offset; a gap in front of it is filled with zeros.
    ///
    /// - Returns: How many bytes were written: at least one of a buffer that is not empty, possibly not all.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int

    /// Returns when contents and size are on the disk, past every cache that the system can flush.
    ///
    /// After a throw nobody knows what is on the disk, and the next call may succeed without having written it: the
    /// file must not be written to any more.
    func synchronize() throws(FileSystemError)

    /// Cuts the file off, or extends it with zeros.
    func truncate(to size: UInt64) throws(FileSystemError)

    /// Takes the file's advisory lock for this open file alone, and keeps it until the file is closed.
    ///
    /// The lock excludes every other open file of the same path, in this process and in others; the death of the
    /// process releases it.
    ///
    /// - Parameter waiting: Whether to wait while another one has it.
    /// - Returns: Whether the lock was taken; always true when waiting.
    /// - Throws: ``FileSystemError`` when the file system has no locks or the file is closed.
    func lock(waiting: Bool) throws(FileSystemError) -> Bool

    /// Closes the file; more calls do nothing, and calls of other functions after it throw.
    func close()
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

    /// The kind.
    public let kind: Kind
    /// The size in bytes.
    public let size: UInt64
    /// The permission bits, such as 0o600.
    public let permissions: UInt16

    /// Creates a status.
    public init(kind: Kind, size: UInt64, permissions: UInt16) {
        self.kind = kind
        self.size = size
        self.permissions = permissions
    }
}

/// A call of the file system that failed.
public struct FileSystemError: Error, Sendable, Hashable {
    /// The kinds of calls.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        case makeDirectory
        case open
        case status
        case list
        case rename
        case remove
        case syncDirectory
        case size
        case read
        case write
        case synchronize
        case truncate
        case lock
    }

    /// The call.
    public let operation: Operation
    /// The path that it was about.
    public let path: String
    /// The system's error number, such as `ENOSPC`.
    public let code: Int32

    /// Creates an error.
    public init(_ operation: Operation, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }
}

extension FileSystemError: CustomStringConvertible {
    /// A sentence with the call, the path and the number, and one with the ``remedy`` if there is one.
    public var description: String {
        let failure = "The call \(operation.rawValue) failed for \(path) with error number \(code)."
        return remedy.map { "\(failure) \($0)" } ?? failure
    }
}

extension FileSystemError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
