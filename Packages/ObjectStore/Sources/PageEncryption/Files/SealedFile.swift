import CSQLite

/// A file whose contents are sealed; what SQLite asks for is opened, what it writes is sealed.
///
/// SQLite has each open once for a connection, which one thread at a time uses.
protocol SealedFile: AnyObject {
    /// The file as it lies.
    var stored: StoredFile { get }

    /// Reads bytes as SQLite wrote them.
    ///
    /// - Returns: A code of SQLite; `SQLITE_CORRUPT` when they were changed since, or the key is another one.
    func read(_ place: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32
    /// Writes bytes so that only the key opens them.
    ///
    /// - Returns: A code of SQLite.
    func write(_ place: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32
    /// Whether all that SQLite wrote was passed on, as it must be before a sync.
    var isSettled: Bool { get }
}
