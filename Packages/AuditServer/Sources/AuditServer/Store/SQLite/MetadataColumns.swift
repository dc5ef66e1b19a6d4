import EventModel
import GRDB

/// The columns of the collection that hold metadata, and which key each one is for.
///
/// A key that is a plain identifier names its column, so that SQL reads as the app wrote it. Any other key, one that
/// SQLite would take for a column that exists already, and one that looks like ours gets `metadata_<n>`.
struct MetadataColumns {
    /// The most columns that the collection may get: SQLite allows 2,000, and each costs every row a byte.
    static let limit = 500

    /// The keys in the order of their columns.
    private(set) var keys: [String] = []
    /// The names of the columns.
    private(set) var names: [String] = []
    /// Keys are compared by their bytes, as the leaf hash does.
    private var positions: [[UInt8]: Int] = [:]

    /// Reads the columns.
    init(_ database: Database) throws {
        let statement = try PreparedStatement("SELECT key, name FROM MetadataColumn ORDER BY ordinal", in: database)
        defer { statement.reset() }
        while try statement.step() {
            guard
                let key = statement.bytes(0).flatMap({ String(validating: $0, as: UTF8.self) }),
                let name = statement.text(1)
            else { throw AuditServerError.unavailable(reason: "the list of metadata columns is damaged") }
            append(key: key, name: name)
        }
    }

    /// Returns where the value of a key is stored, counted from 0; nil for a key without a column.
    func position(of key: String) -> Int? {
        positions[Array(key.utf8)]
    }

    /// Adds a column.
    ///
    /// - Throws: ``AuditServerError/invalidSchemaChange(column:reason:)`` when there are ``limit`` already.
    mutating func add(_ key: String, in database: Database) throws {
        guard keys.count < Self.limit else {
            throw AuditServerError.invalidSchemaChange(
                column: key,
                reason: "it has \(Self.limit) metadata columns already"
            )
        }
        let name = name(for: key)
        let statement = try PreparedStatement(
            "INSERT INTO MetadataColumn (ordinal, key, name) VALUES (?, ?, ?)",
            in: database
        )
        defer { statement.reset() }
        try statement.bind(Int64(keys.count + 1), at: 1)
        try Array(key.utf8).withUnsafeBytes { try statement.bind(blob: $0, at: 2) }
        try statement.bind(name, at: 3)
        _ = try statement.step()
        try database.execute(sql: "ALTER TABLE AuditEvent ADD COLUMN \"\(name)\" TEXT")
        append(key: key, name: name)
    }

    private mutating func append(key: String, name: String) {
        positions[Array(key.utf8)] = keys.count
        keys.append(key)
        names.append(name)
    }

    /// Chooses a name that needs no escaping and that no other column has in either case of its letters.
    private func name(for key: String) -> String {
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
        var number = keys.count + 1
        while !isFree("metadata_\(number)") { number += 1 }
        return "metadata_\(number)"
    }
}
