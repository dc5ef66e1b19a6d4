import AuditModel
import EventModel
import GRDB

/// The metadata columns of one app's collection, and where their values are.
///
/// All apps share the table `AuditEvent`, and the columns of keys that several of them have. A key that is a plain
/// identifier names its column, so that SQL reads as the app wrote it. Any other key, one that SQLite would take for a
/// column that exists already, and one that looks like ours gets `metadata_<n>`.
struct MetadataColumns {
    /// The most columns that the table may get for all apps together: SQLite allows 2,000 with those of every event.
    static let tableLimit = 1900

    private let app: String
    /// The keys in the order in which the app got them.
    private(set) var keys: [String] = []
    /// The names of their columns.
    private(set) var names: [String] = []
    /// Keys are compared by their bytes, as the leaf hash does.
    private var positions: [[UInt8]: Int] = [:]

    /// Describes a collection without metadata columns.
    init(app: String) {
        self.app = app
    }

    /// Reads the columns of an app; nil when it has no collection.
    static func read(of app: String, in database: Database) throws -> MetadataColumns? {
        let hasCollection = try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM Collection WHERE app = ?)",
            arguments: [app]
        )
        guard hasCollection == true else { return nil }
        var columns = MetadataColumns(app: app)
        let statement = try PreparedStatement(
            """
            SELECT key, name FROM CollectionColumn JOIN MetadataColumn ON MetadataColumn.ordinal = metadata \
            WHERE app = ? ORDER BY CollectionColumn.ordinal
            """,
            in: database
        )
        defer { statement.reset() }
        try statement.bind(app, at: 1)
        while try statement.step() {
            guard
                let key = statement.bytes(0).flatMap({ String(validating: $0, as: UTF8.self) }),
                let name = statement.text(1)
            else { throw AuditServerError.unavailable(reason: "the list of metadata columns is damaged") }
            columns.append(key: key, name: name)
        }
        return columns
    }

    /// Reads the columns of an app, whose collection is created if there is none.
    static func readOrCreate(of app: String, in database: Database) throws -> MetadataColumns {
        if let columns = try read(of: app, in: database) { return columns }
        try database.execute(sql: "INSERT INTO Collection (app) VALUES (?)", arguments: [app])
        return MetadataColumns(app: app)
    }

    /// Returns where the value of a key is stored, counted from 0; nil for a key without a column.
    func position(of key: String) -> Int? {
        positions[Array(key.utf8)]
    }

    /// Adds a column, unless the app has it.
    ///
    /// - Throws: `AuditServerError.invalidSchemaChange(column:reason:)` when the app has as many as it may have.
    mutating func add(_ key: String, in database: Database) throws {
        guard position(of: key) == nil else { return }
        guard keys.count < EventSchema.maximumMetadataColumns else {
            throw AuditServerError.tooManyColumns(adding: key)
        }
        let (ordinal, name) = try shared(key, in: database) ?? makeColumn(for: key, in: database)
        try database.execute(
            sql: "INSERT INTO CollectionColumn (app, ordinal, metadata) VALUES (?, ?, ?)",
            arguments: [app, keys.count + 1, ordinal]
        )
        append(key: key, name: name)
    }

    private mutating func append(key: String, name: String) {
        positions[Array(key.utf8)] = keys.count
        keys.append(key)
        names.append(name)
    }

    // MARK: - The table

    /// Finds the column of a key that another app has.
    private func shared(_ key: String, in database: Database) throws -> (ordinal: Int64, name: String)? {
        let statement = try PreparedStatement("SELECT ordinal, name FROM MetadataColumn WHERE key = ?", in: database)
        defer { statement.reset() }
        try Array(key.utf8).withUnsafeBytes { try statement.bind(blob: $0, at: 1) }
        guard try statement.step(), let ordinal = statement.integer(0), let name = statement.text(1) else { return nil }
        return (ordinal, name)
    }

    private func makeColumn(for key: String, in database: Database) throws -> (ordinal: Int64, name: String) {
        let taken = try String.fetchAll(database, sql: "SELECT name FROM MetadataColumn")
        guard taken.count < Self.tableLimit else {
            throw AuditServerError.invalidSchemaChange(
                column: key,
                reason: "the apps of this server have \(Self.tableLimit) different metadata columns already"
            )
        }
        let name = Self.name(for: key, taken)
        let statement = try PreparedStatement(
            "INSERT INTO MetadataColumn (ordinal, key, name) VALUES (?, ?, ?)",
            in: database
        )
        defer { statement.reset() }
        let ordinal = Int64(taken.count + 1)
        try statement.bind(ordinal, at: 1)
        try Array(key.utf8).withUnsafeBytes { try statement.bind(blob: $0, at: 2) }
        try statement.bind(name, at: 3)
        _ = try statement.step()
        try database.execute(sql: "ALTER TABLE AuditEvent ADD COLUMN \"\(name)\" TEXT")
        return (ordinal, name)
    }

    /// Chooses a name that needs no escaping and that no other column has in either case of its letters.
    private static func name(for key: String, _ names: [String]) -> String {
        // TEXT: names of columns, which are ASCII.
        let taken = Set((names + SQLiteSchema.eventColumns + SQLiteSchema.rowNames).map { $0.lowercased() })
        func isFree(_ name: String) -> Bool { !taken.contains(name.lowercased()) }
        let isPlain =
            key.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
                default: false
                }
            } && !key.lowercased().hasPrefix("daybook_")
        if isPlain && isFree(key) { return key }
        // The loop ends because there are fewer columns than numbers to try.
        var number = names.count + 1
        while !isFree("metadata_\(number)") { number += 1 }
        return "metadata_\(number)"
    }
}
