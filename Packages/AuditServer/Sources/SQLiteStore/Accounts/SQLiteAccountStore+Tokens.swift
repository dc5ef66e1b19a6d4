public import AuditModel
public import EventModel
import GRDB

extension SQLiteAccountStore {
    /// Keeps a token that was issued.
    public func add(_ token: IssuedToken) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO IssuedToken (id, role, apps, name, issued, expires, revoked) VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    token.id, token.identity.role, token.identity.appList, token.name, token.issued.microseconds,
                    token.expires.microseconds, token.revoked?.microseconds,
                ]
            )
        }
    }

    /// Returns a token that was issued, or nil.
    public func token(_ id: String) async throws -> IssuedToken? {
        try await read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM IssuedToken WHERE id = ?", arguments: [id]).map(Self.token)
        }
    }

    /// Lists the tokens that were issued, by their ids.
    public func tokens(after: String?, limit: Int) async throws -> [IssuedToken] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM IssuedToken WHERE id > ? ORDER BY id LIMIT ?",
                arguments: [after ?? "", limit]
            )
            .map(Self.token)
        }
    }

    /// Revokes a token for good.
    public func revokeToken(_ id: String, at now: EventInstant) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "UPDATE IssuedToken SET revoked = ? WHERE id = ? AND revoked IS NULL",
                arguments: [now.microseconds, id]
            )
            return database.changesCount == 1
        }
    }

    private static func token(_ row: Row) throws -> IssuedToken {
        guard
            let id = String.fromDatabaseValue(row["id"]), let role = String.fromDatabaseValue(row["role"]),
            let identity = Identity(role: role, appList: String.fromDatabaseValue(row["apps"])),
            let name = String.fromDatabaseValue(row["name"]), let issued = Int64.fromDatabaseValue(row["issued"]),
            let expires = Int64.fromDatabaseValue(row["expires"])
        else { throw AuditServerError.unavailable(reason: "the row of a token is damaged") }
        return IssuedToken(
            id: id,
            identity: identity,
            name: name,
            issued: EventInstant(microseconds: issued),
            expires: EventInstant(microseconds: expires),
            revoked: Int64.fromDatabaseValue(row["revoked"]).map(EventInstant.init(microseconds:))
        )
    }
}
