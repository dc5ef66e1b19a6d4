import CSQLite

/// One prepared statement, finalized with this object.
@usableFromInline
final class Statement {
    let handle: OpaquePointer
    private let connection: Connection

    init(_ sql: String, on connection: Connection) throws(Realm.Error) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle,
            sql,
            -1,
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &prepared,
            nil
        )
        guard code == SQLITE_OK, let prepared else { throw connection.failure(code) }
        handle = prepared
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Takes the columns of statements that pack them.
    var packer: ColumnPacker { connection.packer }

    /// Moves to the next row.
    ///
    /// - Returns: Whether there is one. The statement is reset when there is none, or on failure.
    @inline(__always)
    func step() throws(Realm.Error) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        sqlite3_reset(handle)
        guard code == SQLITE_DONE else { throw connection.failure(code) }
        return false
    }

    /// Runs a statement that returns no rows.
    @inline(__always)
    func run() throws(Realm.Error) {
        while try step() {}
    }

    /// Ends the current run, so that the statement holds no lock.
    @inline(__always)
    func reset() {
        sqlite3_reset(handle)
    }

    @inline(__always)
    func bind(_ index: Int32, _ value: Int64) {
        sqlite3_bind_int64(handle, index, value)
    }

    @inline(__always)
    func bind(_ index: Int32, _ value: String) {
        bindText(value, handle, index)
    }

    @inline(__always)
    func bindNull(_ index: Int32) {
        sqlite3_bind_null(handle, index)
    }

    @inline(__always)
    func int(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    /// The first column of all rows.
    func keys() throws(Realm.Error) -> [Int64] {
        var keys: [Int64] = []
        while try step() { keys.append(int(0)) }
        return keys
    }

    @inline(__always)
    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func double(_ column: Int32) -> Double {
        sqlite3_column_double(handle, column)
    }

    /// How a column holds its value.
    enum Kind {
        case null, int, number, text, blob
    }

    func kind(_ column: Int32) -> Kind {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .int
        case SQLITE_FLOAT: .number
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    func text(_ column: Int32) -> String {
        columnText(handle, column)
    }

    @inline(__always)
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        columnBytes(handle, column)
    }
}

// MARK: - Bytes

/// Tells SQLite to copy what is bound.
let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

@inline(__always)
func bindText(_ value: String, _ statement: OpaquePointer, _ index: Int32) {
    var text = value
    text.withUTF8 { utf8 in
        _ = utf8.withMemoryRebound(to: CChar.self) { characters in
            sqlite3_bind_text64(
                statement,
                index,
                characters.baseAddress,
                UInt64(characters.count),
                copied,
                UInt8(SQLITE_UTF8)
            )
        }
    }
}

@inline(__always)
func bindBytes(_ bytes: UnsafeRawBufferPointer, _ statement: OpaquePointer, _ index: Int32) {
    if let address = bytes.baseAddress, !bytes.isEmpty {
        sqlite3_bind_blob64(statement, index, address, UInt64(bytes.count), copied)
    } else {
        // A null address would bind NULL instead of no bytes.
        sqlite3_bind_zeroblob(statement, index, 0)
    }
}

@inline(__always)
func columnBytes(_ statement: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer {
    let address = sqlite3_column_blob(statement, column)
    return UnsafeRawBufferPointer(start: address, count: Int(sqlite3_column_bytes(statement, column)))
}

@inline(__always)
func columnText(_ statement: OpaquePointer, _ column: Int32) -> String {
    String(decoding: columnBytes(statement, column), as: UTF8.self)
}
