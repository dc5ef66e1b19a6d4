import AuditServer
import EventModel

/// The metadata keys of the collection: what the schema of a table would be if each had a column.
struct MetadataKeys {
    /// The most keys that the collection may get, as in every store.
    static let limit: Int64 = 500

    let connection: PostgreSQLConnection

    /// Reads all keys in the order in which they were added.
    func all() throws -> [String] {
        let rows = try connection.rows("SELECT key FROM MetadataColumn ORDER BY ordinal")
        return try (0..<rows.count)
            .map { row in
                guard let key = rows.text(row, 0) else {
                    throw PostgreSQLFailure.damaged(what: "the list of metadata columns")
                }
                return key
            }
    }

    /// Makes sure that the collection has the keys of events.
    ///
    /// - Throws: ``AuditServerError/invalidSchemaChange(column:reason:)`` when one is missing and may not be added, or
    ///   when there would be more than ``limit``.
    func require(_ events: ArraySlice<AuditEvent>, addsColumns: Bool) throws {
        // Keys are compared by their bytes, as the leaf hash does, and sorted, so that two servers that add the
        // same ones wait for each other instead of both.
        let wanted = Set(events.lazy.flatMap { $0.metadata.entries.map { Array($0.key.utf8) } })
            .sorted { $0.lexicographicallyPrecedes($1) }
        guard !wanted.isEmpty else { return }
        let missing = try missing(wanted)
        guard let first = missing.first else { return }
        guard addsColumns else {
            throw refusal(first, "columns are added in Development Mode alone")
        }
        for key in missing {
            try connection.rows(
                "INSERT INTO MetadataColumn (key) VALUES ($1) ON CONFLICT (key) DO NOTHING",
                [.text(bytes: key)]
            )
        }
        let rows = try connection.rows("SELECT count(*) FROM MetadataColumn")
        guard let count = rows.integer(0, 0), count <= Self.limit else {
            throw refusal(first, "it has \(Self.limit) metadata columns already")
        }
    }

    private func missing(_ wanted: [[UInt8]]) throws -> [[UInt8]] {
        let rows = try connection.rows(
            "SELECT key FROM MetadataColumn WHERE key = ANY ($1::text[])",
            [.array(ofTexts: wanted.map { String(decoding: $0, as: UTF8.self) })]
        )
        let known = Set((0..<rows.count).map { rows.textBytes($0, 0) })
        return wanted.filter { !known.contains($0) }
    }

    private func refusal(_ key: [UInt8], _ reason: String) -> AuditServerError {
        .invalidSchemaChange(column: String(decoding: key, as: UTF8.self), reason: reason)
    }
}
