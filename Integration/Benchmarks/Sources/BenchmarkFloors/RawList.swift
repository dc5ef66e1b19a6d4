import GRDBSQLite

/// The rows of one list in a plain SQLite file: an owner, an order key and a number; the floor of the store's lists.
///
/// One thread at a time.
public final class RawList {
    private let database: OpaquePointer
    private let insertion: RawStatement
    private let removal: RawStatement
    private let scan: RawStatement

    /// Makes a file with an empty list.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isIndexed: Whether the numbers have an index, as links have.
    /// - Throws: ``RawDatabaseError`` when SQLite refuses.
    public init(path: String, isIndexed: Bool = false) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open(path, &opened)
        guard code == SQLITE_OK, let opened else { throw RawDatabaseError(code: code, action: "open a file") }
        database = opened
        for sql in [
            "PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
            """
            CREATE TABLE element (owner INTEGER NOT NULL, position INTEGER NOT NULL, value INTEGER,
            PRIMARY KEY (owner, position)) WITHOUT ROWID
            """,
            isIndexed ? "CREATE INDEX element_value ON element (value)" : "",
        ] {
            try Self.execute(sql, on: opened)
        }
        insertion = try RawStatement("INSERT INTO element VALUES (1, ?, ?)", on: opened)
        removal = try RawStatement("DELETE FROM element WHERE owner = 1 AND position = ?", on: opened)
        scan = try RawStatement("SELECT position, value FROM element WHERE owner = 1 ORDER BY position", on: opened)
    }

    deinit {
        for statement in [insertion, removal, scan] { statement.finalize() }
        sqlite3_close(database)
    }

    /// Runs changes in one transaction.
    public func writing(_ work: () throws -> Void) throws {
        try Self.execute("BEGIN IMMEDIATE", on: database)
        try work()
        try Self.execute("COMMIT", on: database)
    }

    /// Inserts a number at an order key that nothing has.
    public func insert(_ number: Int, at position: Int) throws {
        insertion.bind(1, position)
        insertion.bind(2, number)
        try insertion.run()
    }

    /// Removes the number at an order key.
    public func remove(at position: Int) throws {
        removal.bind(1, position)
        try removal.run()
    }

    /// Reads every number in order.
    ///
    /// - Returns: The sum of order keys and numbers.
    /// - Complexity: O(*n*) in the count of rows.
    public func readAll() -> Int {
        var sum = 0
        while scan.step() { sum &+= scan.int(0) &+ scan.int(1) }
        scan.reset()
        return sum
    }

    private static func execute(_ sql: String, on database: OpaquePointer) throws {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw RawDatabaseError(code: code, action: "run a statement") }
    }
}
