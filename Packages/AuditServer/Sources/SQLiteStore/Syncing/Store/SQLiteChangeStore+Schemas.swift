public import ChangeModel
public import EventModel
import GRDB
import SyncServer

extension SQLiteChangeStore {
    /// Returns the schema of an app.
    public func schema(of app: ExactText) async throws -> SyncSchema? {
        try await reading { try Self.schema(of: app, in: $0) }
    }

    /// Compares the schema of a device with that of its app, in one transaction.
    public func admit(_ schema: SyncSchema, of app: ExactText, isExtending: Bool) async throws -> SyncSchema {
        try await writing { database in
            let known = try Self.schema(of: app, in: database) ?? SyncSchema()
            let union = try SyncServerError.union(of: known, with: schema, isExtending: isExtending)
            guard union != known else { return union }
            let statement = try PreparedStatement(
                "INSERT OR REPLACE INTO SyncSchemaOf (app, schema) VALUES (?, ?)",
                in: database
            )
            defer { statement.reset() }
            try statement.bind(app.string, at: 1)
            try statement.bind(union.encoded, at: 2)
            _ = try statement.step()
            return union
        }
        .get()
    }

    private static func schema(of app: ExactText, in database: Database) throws -> SyncSchema? {
        let statement = try PreparedStatement("SELECT schema FROM SyncSchemaOf WHERE app = ?", in: database)
        defer { statement.reset() }
        try statement.bind(app.string, at: 1)
        guard try statement.step() else { return nil }
        return try SyncSchema(bytes: try statement.blob(0))
    }
}
