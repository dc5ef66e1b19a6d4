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
