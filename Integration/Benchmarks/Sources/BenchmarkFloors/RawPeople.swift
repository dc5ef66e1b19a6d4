import GRDBSQLite

/// The people of the benchmarks in a plain SQLite file, through the C API alone: the floor of the object store.
///
/// The file is in WAL mode with `synchronous=FULL` and a cache of 16 MiB, as the store's is. One thread at a time.
public final class RawPeople {
    private let database: OpaquePointer
    private let insertion: RawStatement
    private let lookUp: RawStatement
    private let scan: RawStatement
    private let change: RawStatement

    /// Opens a file, which is made and gets an empty table if there is none.
    ///
    /// - Throws: ``RawDatabaseError`` when SQLite refuses.
    public init(path: String, indexesScore: Bool = false, indexesEmployeeId: Bool = false) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open(path, &opened)
        guard code == SQLITE_OK, let opened else { throw RawDatabaseError(code: code, action: "open a file") }
        database = opened
        for sql in [
            "PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA cache_size=-16384",
            """
            CREATE TABLE IF NOT EXISTS person (_id INTEGER PRIMARY KEY, name TEXT NOT NULL, employeeId INTEGER NOT NULL,
            score REAL NOT NULL, userId TEXT, active INTEGER NOT NULL)
            """,
            indexesScore ? "CREATE INDEX IF NOT EXISTS person_score ON person (score)" : "",
            indexesEmployeeId ? "CREATE INDEX IF NOT EXISTS person_employeeId ON person (employeeId)" : "",
        ] {
            try Self.execute(sql, on: opened)
        }
        insertion = try RawStatement("INSERT INTO person VALUES (?, ?, ?, ?, ?, ?)", on: opened)
        lookUp = try RawStatement("SELECT * FROM person WHERE _id = ?", on: opened)
        scan = try RawStatement("SELECT * FROM person", on: opened)
        change = try RawStatement("UPDATE person SET name = ? WHERE _id = ?", on: opened)
    }

    deinit {
        for statement in [insertion, lookUp, scan, change] { statement.finalize() }
        sqlite3_close(database)
    }

    /// Inserts people in one transaction.
    ///
    /// - Complexity: O(*n* log *n*) in the count.
    public func insert(_ people: [SamplePerson]) throws {
        try Self.execute("BEGIN IMMEDIATE", on: database)
        for person in people {
            insertion.bind(1, person.key)
            insertion.bind(2, person.name)
            insertion.bind(3, person.employeeId)
            insertion.bind(4, person.score)
            insertion.bind(5, person.userId)
            insertion.bind(6, person.isActive ? 1 : 0)
            try insertion.run()
        }
        try Self.execute("COMMIT", on: database)
    }

    /// Runs reads in one transaction, so that SQLite does not lock the file for each of them.
    public func reading(_ work: () -> Void) throws {
        try Self.execute("BEGIN", on: database)
        work()
        try Self.execute("COMMIT", on: database)
    }

    /// Reads every column of every row.
    ///
    /// - Returns: A sum over what was read, so that nothing can be left out.
    /// - Complexity: O(*n*) in the count of rows.
    public func readAll() -> Int {
        var sum = 0
        while scan.step() { sum &+= scan.sumOfColumns() }
        scan.reset()
        return sum
    }

    /// Reads every column of one row.
    ///
    /// - Returns: A sum over what was read; 0 when there is no such row.
    /// - Complexity: O(log *n*) in the count of rows.
    public func read(key: Int) -> Int {
        lookUp.bind(1, key)
        let sum = lookUp.step() ? lookUp.sumOfColumns() : 0
        lookUp.reset()
        return sum
    }

    /// Counts the people with at least a score.
    ///
    /// - Complexity: O(*n*) in the count of rows, or of matches when the score is indexed.
    public func count(scoreAtLeast score: Double) throws -> Int {
        let statement = try RawStatement("SELECT count(*) FROM person WHERE score >= ?", on: database)
        defer { statement.finalize() }
        statement.bind(1, score)
        return statement.step() ? statement.int(0) : 0
    }

    /// Changes the name of one person in a transaction of its own, which is durable when this returns.
    public func rename(key: Int, to name: String) throws {
        try Self.execute("BEGIN IMMEDIATE", on: database)
        change.bind(1, name)
        change.bind(2, key)
        try change.run()
        try Self.execute("COMMIT", on: database)
    }

    /// Writes the score of every person, one statement each, in one transaction.
    ///
    /// - Complexity: O(*n* log *n*) in the count.
    public func setScores(to score: Double) throws {
        let statement = try RawStatement("UPDATE person SET score = ? WHERE _id = ?", on: database)
        defer { statement.finalize() }
        try Self.execute("BEGIN IMMEDIATE", on: database)
        for key in try keys() {
            statement.bind(1, score)
            statement.bind(2, key)
            try statement.run()
        }
        try Self.execute("COMMIT", on: database)
    }

    /// Deletes everybody, in one transaction.
    public func deleteAll() throws {
        for sql in ["BEGIN IMMEDIATE", "DELETE FROM person", "COMMIT"] { try Self.execute(sql, on: database) }
    }

    /// Prepares a statement, which is to be finalized before the file is closed.
    func statement(_ sql: String) throws -> RawStatement { try RawStatement(sql, on: database) }

    private func keys() throws -> [Int] {
        let statement = try RawStatement("SELECT _id FROM person", on: database)
        defer { statement.finalize() }
        var keys: [Int] = []
        while statement.step() { keys.append(statement.int(0)) }
        return keys
    }

    private static func execute(_ sql: String, on database: OpaquePointer) throws {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw RawDatabaseError(code: code, action: "run a statement") }
    }
}
