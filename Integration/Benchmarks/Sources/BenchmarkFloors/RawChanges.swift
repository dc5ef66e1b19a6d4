import GRDBSQLite

/// What a server of realms writes of changes of one property, in a plain SQLite file, through the C API alone.
///
/// The floor of taking changes: no HTTP, no signatures, no rules, and nothing is read. The tables are those of the server, and so are the
/// settings of the file, but for a cache of 16 MiB, in which all of it has room. One thread at a time.
public final class RawChanges {
    /// How many bytes each part of a row has.
    public struct Sizes: Sendable {
        let entry: Int
        let upload: Int
        let cells: Int

        /// A stamp, flags, and a number with its kind.
        static let cell = 27
        /// A kind and a name of five letters, with its end.
        static let path = 7
        /// One mark: two numbers and a stamp.
        static let marks = 33

        /// Creates sizes.
        ///
        /// - Parameters:
        ///   - entry: The bytes of an entry of the log.
        ///   - upload: The bytes of a change as it was signed.
        ///   - cells: How many cells an object has.
        public init(entry: Int, upload: Int, cells: Int) {
            self.entry = entry
            self.upload = upload
            self.cells = cells
        }
    }

    private let database: OpaquePointer
    private let cell: RawStatement
    private let entry: RawStatement
    private let upload: RawStatement
    private let object: RawStatement
    private let objects: Int
    private let sizes: Sizes
    private var count = 0

    /// Makes a file that has some objects.
    ///
    /// - Parameters:
    ///   - path: Where; no file is there.
    ///   - objects: How many objects there are.
    ///   - sizes: How large the rows are, and how many there are of an object.
    /// - Throws: ``RawDatabaseError`` when SQLite refuses.
    public init(path: String, objects: Int, sizes: Sizes) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open(path, &opened)
        guard code == SQLITE_OK, let opened else { throw RawDatabaseError(code: code, action: "open a file") }
        database = opened
        for sql in Self.preparation { try Self.execute(sql, on: opened) }
        cell = try RawStatement("INSERT OR REPLACE INTO SyncCell (object, path, cell) VALUES (?, ?, ?)", on: opened)
        entry = try RawStatement(
            "INSERT INTO SyncEntry (realm, number, entry, latestClock) VALUES (1, ?, ?, ?)",
            on: opened
        )
        upload = try RawStatement(
            "INSERT INTO SyncUpload (realm, file, change, entry, uploaded) VALUES (1, 1, ?, ?, ?)",
            on: opened
        )
        object = try RawStatement(
            "UPDATE SyncObject SET epoch = ?, changed = ?, marks = ? WHERE object = ?",
            on: opened
        )
        self.objects = objects
        self.sizes = sizes
        try fill()
    }

    deinit {
        for statement in [cell, entry, upload, object] { statement.finalize() }
        sqlite3_close(database)
    }

    /// Writes changes of one cell each in one transaction, which is durable when this returns.
    ///
    /// - Throws: ``RawDatabaseError`` when SQLite refuses.
    /// - Complexity: O(*n* log *n*) in the count.
    public func take(_ changes: Int) throws {
        try Self.execute("BEGIN IMMEDIATE", on: database)
        for _ in 0..<changes {
            count += 1
            let key = count * 7919 % objects + 1
            cell.bind(1, key)
            cell.bind(2, Self.bytes(Sizes.path, 0))
            cell.bind(3, Self.bytes(Sizes.cell, count))
            try cell.run()
            entry.bind(1, count)
            entry.bind(2, Self.bytes(sizes.entry, count))
            entry.bind(3, count)
            try entry.run()
            upload.bind(1, count)
            upload.bind(2, count)
            upload.bind(3, Self.bytes(sizes.upload, count))
            try upload.run()
            object.bind(1, 1)
            object.bind(2, count)
            object.bind(3, Self.bytes(Sizes.marks, key))
            object.bind(4, key)
            try object.run()
        }
        try Self.execute("COMMIT", on: database)
    }

    /// Removes all entries and uploads, so many in each transaction, which is durable.
    ///
    /// - Throws: ``RawDatabaseError`` when SQLite refuses.
    /// - Complexity: O(*n* log *n*) in the changes that were taken.
    public func forget(step: Int) throws {
        let uploads = try RawStatement(
            "DELETE FROM SyncUpload WHERE realm = 1 AND file = 1 AND change = ?",
            on: database
        )
        let entries = try RawStatement("DELETE FROM SyncEntry WHERE realm = 1 AND number <= ?", on: database)
        defer { for statement in [uploads, entries] { statement.finalize() } }
        for start in stride(from: 0, to: count, by: step) {
            let end = min(start + step, count)
            try Self.execute("BEGIN IMMEDIATE", on: database)
            for change in start..<end {
                uploads.bind(1, change + 1)
                try uploads.run()
            }
            entries.bind(1, end)
            try entries.run()
            try Self.execute("COMMIT", on: database)
        }
    }

    private func fill() throws {
        let insertion = try RawStatement("INSERT INTO SyncObject VALUES (?, 1, ?, 1, 1, ?)", on: database)
        defer { insertion.finalize() }
        try Self.execute("BEGIN IMMEDIATE", on: database)
        for key in 1...objects {
            insertion.bind(1, key)
            insertion.bind(2, Self.bytes(9, key))
            insertion.bind(3, Self.bytes(Sizes.marks, key))
            try insertion.run()
            for path in 0..<sizes.cells {
                cell.bind(1, key)
                cell.bind(2, Self.bytes(Sizes.path, path))
                cell.bind(3, Self.bytes(Sizes.cell, 0))
                try cell.run()
            }
        }
        try Self.execute("COMMIT", on: database)
    }

    /// So many bytes, which begin with a number.
    private static func bytes(_ count: Int, _ number: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 7, count: count)
        bytes.withUnsafeMutableBytes { buffer in
            withUnsafeBytes(of: number.bigEndian) { buffer.copyBytes(from: $0.suffix(count)) }
        }
        return bytes
    }

    private static func execute(_ sql: String, on database: OpaquePointer) throws {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw RawDatabaseError(code: code, action: "run a statement") }
    }

    private static let preparation = [
        "PRAGMA page_size = 8192", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
        "PRAGMA secure_delete = ON", "PRAGMA wal_autocheckpoint = 4096", "PRAGMA cache_size = -16384",
        """
        CREATE TABLE SyncEntry (realm INTEGER NOT NULL, number INTEGER NOT NULL, entry BLOB NOT NULL,
        latestClock INTEGER NOT NULL, PRIMARY KEY (realm, number)) WITHOUT ROWID
        """,
        """
        CREATE TABLE SyncUpload (realm INTEGER NOT NULL, file INTEGER NOT NULL, change INTEGER NOT NULL,
        entry INTEGER NOT NULL, uploaded BLOB NOT NULL, PRIMARY KEY (realm, file, change)) WITHOUT ROWID
        """,
        """
        CREATE TABLE SyncObject (object INTEGER PRIMARY KEY, class INTEGER NOT NULL, key BLOB NOT NULL,
        epoch INTEGER NOT NULL, changed INTEGER NOT NULL, marks BLOB NOT NULL, UNIQUE (class, key))
        """,
        """
        CREATE TABLE SyncCell (object INTEGER NOT NULL, path BLOB NOT NULL, cell BLOB NOT NULL,
        PRIMARY KEY (object, path)) WITHOUT ROWID
        """,
    ]
}
