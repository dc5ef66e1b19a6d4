import AuditServerTesting
import EventModel
import EventProofs
import Logging
import Testing

@testable import AuditAccounts
@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview
@testable import PostgreSQLStore
@testable import SQLiteStore

/// What is shown is bound to what was signed, in this database as in SQLite's: whatever is changed behind the server's back is told.
@Suite("Altered columns of PostgreSQL", .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped))
struct PostgreSQLAlteredColumnTests {
    /// Columns that are shown of nothing, or that nothing is over yet.
    private static let unshown: Set<String> = [
        // Places of the tree, which the next upload compares with its own root.
        "EventPartition.frontier",
        // Where a row lies, which says nothing: a row at another place is not found, and that is told.
        "AuditEvent.daybook_month", "EventPartition.month",
        // The number of a row; another one at the partition is altered.
        "EventOwner.id",
    ]

    /// Returns what reviewers are alerted of, or the words with which the verification fails.
    private static func findings(in store: PostgreSQLEventStore) async throws -> [String] {
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: store,
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: try await TokenIssuer(key: TokenIssuer.makeKey(), clock: SystemClock()),
            key: SampleDevice.serverKey
        )
        let desk = try ServiceParts(of: service).desk
        do {
            try await desk.compareLog()
            try await desk.verify(1000)
        } catch let error as AuditServerError {
            return ["\(error)"]
        }
        return desk.book.alerts.values.compactMap(\.alert.detail)
    }

    /// Another value of a column, as an expression.
    private static func other(_ name: String, _ type: String) throws -> String {
        switch type {
        // Beyond the rows that are there; marks have a byte.
        case "bigint", "integer": "coalesce(\(name), 0) + 1000"
        case "smallint": "\(name) + 1"
        case "text": "coalesce(\(name), '') || '0'"
        case "bytea":
            "coalesce(set_byte(\(name), 0, (get_byte(\(name), 0) + 1) % 256), decode(repeat('01', 40), 'hex'))"
        case "boolean": "NOT \(name)"
        case "uuid": "'ffffffff-0000-0000-0000-000000000000'"
        case "jsonb": "'{\"userId\": \"eve\"}'"
        default: throw UnknownType(name: type)
        }
    }

    private struct UnknownType: Error {
        let name: String
    }

    @Test(
        "every column that is shown, altered in the database, is a finding",
        arguments: [
            ("AuditEvent", "_partition", "_partition, daybook_sequence"), ("EventPartition", "value", "value"),
            ("EventOwner", "userid", "id"),
        ]
    )
    func columns(table: String, name: String, order: String) async throws {
        // The trail of the auditors grows with each alert, and is left alone.
        let isDevice = "\(name) NOT LIKE 'auditors-%' AND \(name) <> '\(TrailEvent.owner.user)'"
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let store = try await PostgreSQLEventStore(.patient(address))
        try await AlteredSample.fill(store)
        #expect(try await Self.findings(in: store) == [])
        let columns = try await server.texts(
            """
            SELECT column_name || ' ' || data_type FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name = lower('\(table)') ORDER BY ordinal_position
            """,
            at: address
        )
        #expect(columns.count >= 3)
        try await server.sql("CREATE TABLE Before AS SELECT * FROM \(table)", at: address)

        for column in columns {
            let words = try #require(column).split(separator: " ", maxSplits: 1).map(String.init)
            guard !Self.unshown.contains("\(table).\(words[0])") else { continue }
            // Of one row, and without the rules that keep rows together, as an administrator of the database could.
            try await server.sql(
                """
                SET session_replication_role = replica;
                UPDATE \(table) SET \(words[0]) = \(try Self.other(words[0], words[1])) WHERE (tableoid, ctid) =
                    (SELECT tableoid, ctid FROM \(table) WHERE \(isDevice) ORDER BY \(order) LIMIT 1)
                """,
                at: address
            )
            #expect(try await !Self.findings(in: store).isEmpty, "\(table).\(words[0])")
            try await server.sql(
                """
                SET session_replication_role = replica;
                DELETE FROM \(table) WHERE \(isDevice);
                INSERT INTO \(table) OVERRIDING SYSTEM VALUE SELECT * FROM Before
                """,
                at: address
            )
        }
        let found = try await Self.findings(in: store)
        #expect(found == [], "everything is as it was")
    }
}
