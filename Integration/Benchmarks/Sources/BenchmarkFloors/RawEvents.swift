import GRDBSQLite

/// Events in a plain SQLite file with the columns and indexes of the server's, through the C API alone.
///
/// The floor of the embedded server: no HTTP, no tokens, nothing decoded and nothing hashed. The file is in WAL mode with
/// `synchronous=FULL`, as the server's is. One thread at a time.
public final class RawEvents {
    private let database: OpaquePointer
    private let insertion: RawStatement
    private let leaf = String(repeating: "l", count: 32)
    private var count = 0

    /// Makes a file.
    ///
    /// - Throws: ``RawDatabaseError`` when SQLite refuses.
    public init(path: String) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open(path, &opened)
        guard code == SQLITE_OK, let opened else { throw RawDatabaseError(code: code, action: "open a file") }
        database = opened
        for sql in [
            "PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
            """
            CREATE TABLE event (_id TEXT NOT NULL, _partition TEXT NOT NULL, activity TEXT NOT NULL, event TEXT, data TEXT,
            timestamp INTEGER NOT NULL, sequence INTEGER NOT NULL, monotonic INTEGER NOT NULL, boot TEXT NOT NULL,
            committed INTEGER, marks INTEGER NOT NULL, received INTEGER NOT NULL, leaf BLOB NOT NULL,
            owner INTEGER NOT NULL, repeated INTEGER NOT NULL, PRIMARY KEY (_partition, sequence))
            """,
            "CREATE UNIQUE INDEX event_by_id ON event (owner, _id) WHERE repeated = 0",
        ] {
            try Self.execute(sql, on: opened)
        }
        insertion = try RawStatement("INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", on: opened)
    }

    deinit {
        insertion.finalize()
        sqlite3_close(database)
    }

    /// Inserts events in one transaction.
    ///
    /// - Parameter payloads: The payload of each.
    /// - Throws: ``RawDatabaseError`` when SQLite refuses.
    /// - Complexity: O(*n* log *n*) in the count.
    public func insert(_ payloads: some Sequence<String>) throws {
        try Self.execute("BEGIN IMMEDIATE", on: database)
        for payload in payloads {
            count += 1
            insertion.bind(1, Self.id(count))
            insertion.bind(2, "bench-65f0c0ffee0000000000cafe")
            insertion.bind(3, "benchmark")
            insertion.bind(4, "read")
            insertion.bind(5, payload)
            insertion.bind(6, 1_700_000_000_000_000 + count)
            insertion.bind(7, count)
            insertion.bind(8, count * 1000)
            insertion.bind(9, "00000000000000010000000000000002")
            insertion.bind(10, 1_700_000_000_500_000)
            insertion.bind(11, 0)
            insertion.bind(12, 1_700_000_001_000_000)
            insertion.bind(13, leaf)
            insertion.bind(14, 1)
            insertion.bind(15, 0)
            try insertion.run()
        }
        try Self.execute("COMMIT", on: database)
    }

    /// Twenty-four digits, as an object id has.
    private static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "65f0c0ffee" + String(repeating: "0", count: 14 - digits.count) + digits
    }

    private static func execute(_ sql: String, on database: OpaquePointer) throws {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw RawDatabaseError(code: code, action: "run a statement") }
    }
}
