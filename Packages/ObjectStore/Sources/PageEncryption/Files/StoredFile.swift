import CSQLite

/// The file below a sealed one, as SQLite's own file system has it open.
struct StoredFile {
    let handle: UnsafeMutablePointer<sqlite3_file>

    /// The calls of the file; those of a file that is open are there.
    var methods: sqlite3_io_methods { handle.pointee.pMethods.pointee }

    /// Reads bytes; what lies behind the end is zero.
    ///
    /// - Returns: A code of SQLite; one of its own when not all bytes are there.
    func read(_ place: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        methods.xRead(handle, place, Int32(count), offset)
    }

    /// Writes bytes.
    ///
    /// - Returns: A code of SQLite.
    func write(_ place: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        methods.xWrite(handle, place, Int32(count), offset)
    }

    /// How many bytes the file has; nil when that cannot be told.
    var size: Int64? {
        var size: sqlite3_int64 = 0
        return methods.xFileSize(handle, &size) == SQLITE_OK ? size : nil
    }
}

/// The extended codes of SQLite that the importer does not see.
enum FileCode {
    /// Not all bytes that were asked for are there.
    static let shortRead = SQLITE_IOERR | 2 << 8
    /// Writing failed.
    static let write = SQLITE_IOERR | 3 << 8
}
