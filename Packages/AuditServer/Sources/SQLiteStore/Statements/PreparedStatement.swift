import GRDB
import GRDBSQLite

/// One of GRDB's prepared statements, bound and stepped directly.
///
/// GRDB's own bindings end a text at its first zero byte, and event texts may hold one; besides, this costs a third.
/// Used on the queue of its database alone.
struct PreparedStatement {
    private let statement: Statement

    private var handle: OpaquePointer { statement.sqliteStatement }

    /// Takes a statement out of the connection's cache, without bindings of an earlier use.
    ///
    /// Two of one text are the same statement: those that run side by side need texts of their own, as by a comment.
    init(_ sql: String, in database: Database) throws {
        statement = try database.cachedStatement(sql: sql)
        reset()
    }

    /// Makes the statement ready for other bindings.
    func reset() {
        // The code repeats what the last step answered, which was thrown then.
        _ = sqlite3_reset(handle)
        _ = sqlite3_clear_bindings(handle)
    }

    /// How many steps SQLite's own machine took for the statement since it was prepared.
    var machineSteps: Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)) }

    /// Steps once.
    ///
    /// - Returns: Whether there is a row.
    /// - Throws: `DatabaseError`, without the values that were bound.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            throw DatabaseError(resultCode: ResultCode(rawValue: sqlite3_extended_errcode(sqlite3_db_handle(handle))))
        }
    }
}

// MARK: - Parameters

extension PreparedStatement {
    /// Tells SQLite to copy what is bound, because Swift's buffers do not outlive the call.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    func bind(_ number: Int64?, at index: Int32) throws {
        guard let number else { return try bindNull(at: index) }
        try check(sqlite3_bind_int64(handle, index, number))
    }

    func bind(_ text: String?, at index: Int32) throws {
        guard var text else { return try bindNull(at: index) }
        try text.withUTF8 { try bind(text: UnsafeRawBufferPointer($0), at: index) }
    }

    func bind(text bytes: [UInt8]?, at index: Int32) throws {
        guard let bytes else { return try bindNull(at: index) }
        try bytes.withUnsafeBytes { try bind(text: $0, at: index) }
    }

    func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) throws {
        // Without an address SQLite would bind NULL, and an empty blob is not NULL.
        guard bytes.baseAddress != nil else { return try check(sqlite3_bind_zeroblob(handle, index, 0)) }
        try check(sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), Self.copied))
    }

    private func bind(text bytes: UnsafeRawBufferPointer, at index: Int32) throws {
        // Without an address SQLite would bind NULL, and an empty text is not NULL.
        guard let address = bytes.baseAddress, !bytes.isEmpty else {
            return try check(sqlite3_bind_text(handle, index, "", 0, Self.copied))
        }
        let characters = address.assumingMemoryBound(to: CChar.self)
        try check(
            sqlite3_bind_text64(handle, index, characters, UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
        )
    }

    private func bindNull(at index: Int32) throws {
        try check(sqlite3_bind_null(handle, index))
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}

// MARK: - Columns

extension PreparedStatement {
    func isNull(_ index: Int32) -> Bool {
        sqlite3_column_type(handle, index) == SQLITE_NULL
    }

    func isText(_ index: Int32) -> Bool {
        sqlite3_column_type(handle, index) == SQLITE_TEXT
    }

    /// Returns an integer, or nil for a value of another type.
    func integer(_ index: Int32) -> Int64? {
        guard sqlite3_column_type(handle, index) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(handle, index)
    }

    /// Returns the bytes of a text or blob, or nil for a value of another type.
    func bytes(_ index: Int32) -> [UInt8]? {
        let type = sqlite3_column_type(handle, index)
        guard type == SQLITE_TEXT || type == SQLITE_BLOB else { return nil }
        // The address must be asked for before the count; it is null for a value without bytes.
        guard let address = sqlite3_column_blob(handle, index) else { return [] }
        return Array(UnsafeRawBufferPointer(start: address, count: Int(sqlite3_column_bytes(handle, index))))
    }

    /// Looks at the bytes of a text or blob where they are, until the next step; none for NULL, and the digits of a number.
    func withBytes<Value>(_ index: Int32, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        // The address must be asked for before the count.
        let address = sqlite3_column_blob(handle, index)
        return try body(
            UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : Int(sqlite3_column_bytes(handle, index)))
        )
    }

    /// Returns a text, or nil for a value of another type or bytes that are not UTF-8.
    func text(_ index: Int32) -> String? {
        guard sqlite3_column_type(handle, index) == SQLITE_TEXT else { return nil }
        return bytes(index).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
