import AuditModel
import EventModel

/// The collections of apps and their metadata keys: what the schema of a table would be if each key had a column.
struct CollectionKeys {
    let connection: PostgreSQLConnection

    /// Lists the apps that have a collection.
    func apps() throws -> [String] {
        let rows = try connection.rows("SELECT app FROM EventCollection ORDER BY app")
        return try (0..<rows.count).map { try text(rows, $0) }
    }

    /// Reads the keys of an app in the order in which they were added; nil when it has no collection.
    func all(of app: String) throws -> [String]? {
        let found = try connection.rows("SELECT FROM EventCollection WHERE app = $1", [.text(app)])
        guard found.count > 0 else { return nil }
        let rows = try connection.rows("SELECT key FROM CollectionColumn WHERE app = $1 ORDER BY ordinal", [.text(app)])
        return try (0..<rows.count).map { try text(rows, $0) }
    }

    /// Makes sure that an app has a collection with the keys of events.
    ///
    /// - Throws: `AuditServerError.invalidSchemaChange(column:reason:)` when something is missing and the schema may
    ///   not be extended, or when there would be too many keys.
    func require(_ events: ArraySlice<AuditEvent>, of upload: EventUpload) throws {
        // Keys are compared by their bytes, as the leaf hash does, and sorted, so that two servers that add the
        // same ones wait for each other instead of both.
        let wanted = Set(events.lazy.flatMap { $0.metadata.entries.map { Array($0.key.utf8) } })
            .sorted { $0.lexicographicallyPrecedes($1) }
        let app = upload.owner.app
        guard let missing = try missing(wanted, in: app) else {
            guard upload.extendsSchema else { throw AuditServerError.missingCollection }
            return try extend(app, by: wanted, upTo: upload.columnLimit)
        }
        guard let first = missing.first else { return }
        guard upload.extendsSchema else { throw AuditServerError.missingColumn(String(decoding: first, as: UTF8.self)) }
        try extend(app, by: missing, upTo: upload.columnLimit)
    }

    /// Creates the collection of an app if there is none, and adds the keys that it lacks, in this order.
    ///
    /// - Throws: `AuditServerError.invalidSchemaChange(column:reason:)` when there would be too many keys.
    func extend(_ app: String, by keys: [[UInt8]], upTo limit: Int = EventSchema.maximumMetadataColumns) throws {
        try connection.rows("INSERT INTO EventCollection (app) VALUES ($1) ON CONFLICT DO NOTHING", [.text(app)])
        var added: [UInt8]?
        for key in keys {
            let rows = try connection.rows(
                "INSERT INTO CollectionColumn (app, key) VALUES ($1, $2) ON CONFLICT (app, key) DO NOTHING RETURNING key",
                [.text(app), .text(bytes: key)]
            )
            if rows.count > 0 { added = key }
        }
        guard let added else { return }
        let rows = try connection.rows("SELECT count(*) FROM CollectionColumn WHERE app = $1", [.text(app)])
        let most = min(limit, EventSchema.maximumMetadataColumns)
        guard let count = rows.integer(0, 0), count <= most else {
            throw AuditServerError.tooManyColumns(adding: String(decoding: added, as: UTF8.self), to: most)
        }
    }

    /// Returns which keys an app lacks; nil when it has no collection.
    private func missing(_ wanted: [[UInt8]], in app: String) throws -> [[UInt8]]? {
        // A collection without any of the keys is one row without a key.
        let rows = try connection.rows(
            """
            SELECT key FROM EventCollection
            LEFT JOIN CollectionColumn
            ON CollectionColumn.app = EventCollection.app AND key = ANY ($2::text[])
            WHERE EventCollection.app = $1
            """,
            [.text(app), .array(ofTexts: wanted.map { String(decoding: $0, as: UTF8.self) })]
        )
        guard rows.count > 0 else { return nil }
        let known = Set((0..<rows.count).compactMap { rows.textBytes($0, 0) })
        return wanted.filter { !known.contains($0) }
    }

    private func text(_ rows: SQLRows, _ row: Int) throws -> String {
        guard let text = rows.text(row, 0) else { throw PostgreSQLFailure.damaged(what: "the schema of an app") }
        return text
    }
}
