import GRDBSQLite

/// A prepared statement of the C API, as thin as it can be.
struct RawStatement {
    private let handle: OpaquePointer

    /// Prepares a statement.
    init(_ sql: String, on database: OpaquePointer) throws {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v2(database, sql, -1, &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw RawDatabaseError(code: code, action: "prepare a statement") }
        handle = prepared
    }

    func finalize() { sqlite3_finalize(handle) }

    func reset() { sqlite3_reset(handle) }

    /// Goes to the next row; false after the last one.
    func step() -> Bool { sqlite3_step(handle) == SQLITE_ROW }

    /// Runs a statement that has no rows, and makes it ready for the next time.
    func run() throws {
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard code == SQLITE_DONE else { throw RawDatabaseError(code: code, action: "run a statement") }
    }

    func bind(_ index: Int32, _ value: Int) { sqlite3_bind_int64(handle, index, Int64(value)) }

    func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

    func bind(_ index: Int32, _ value: String?) {
        guard var value else {
            sqlite3_bind_null(handle, index)
            return
        }
        // SQLITE_TRANSIENT, which the importer cannot see: SQLite copies the text.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        value.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { text in
                _ = sqlite3_bind_text(handle, index, text.baseAddress, Int32(text.count), copies)
            }
        }
    }

    func bind(_ index: Int32, _ bytes: [UInt8]) {
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        bytes.withUnsafeBytes { _ = sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), copies) }
    }

    func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// Fetches a text and returns its count of bytes.
    func bytes(_ column: Int32) -> Int {
        sqlite3_column_text(handle, column) == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
    }

    /// Fetches all six columns of a person, so that none is free.
    func sumOfColumns() -> Int {
        var sum = int(0) &+ int(2) &+ int(5)
        sum &+= Int(sqlite3_column_double(handle, 3))
        for column: Int32 in [1, 4] {
            if let text = sqlite3_column_text(handle, column) {
                sum &+= Int(text[0]) &+ Int(sqlite3_column_bytes(handle, column))
            }
        }
        return sum
    }
}
