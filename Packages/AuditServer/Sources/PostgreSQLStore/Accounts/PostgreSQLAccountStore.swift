public import AuditModel
public import EventModel

/// The accounts of all servers on one database, and the tokens that they issued.
///
/// What changes here is acknowledged once the standbys have it: a user who was removed stays so after a failover. Who waits for
/// that longer than ``PostgreSQLConfiguration/readingPatience`` is refused, and may ask again.
public final class PostgreSQLAccountStore: AccountStore {
    private let pool: ConnectionPool
    private let patience: Int
    /// Apart from those that wait for standbys, so that nobody who has a token waits with them.
    let reading: ConnectionPool

    /// Connects to a database and makes or updates its tables.
    ///
    /// - Parameters:
    ///   - configuration: Where the database is; four connections are used.
    ///   - timer: What ends the waiting for a connection.
    /// - Throws: `AuditServerError.inaccessible` with what to do about it, when the database cannot be reached or used.
    public init(_ configuration: PostgreSQLConfiguration, timer: any EventTimer = SystemTimer()) async throws {
        pool = ConnectionPool(configuration, name: "daybook.accounts", count: 2, timer: timer)
        reading = ConnectionPool(configuration, name: "daybook.accounts.reading", count: 2, timer: timer)
        patience = configuration.readingPatience
        try await PostgreSQLSchema.prepare(configuration, on: pool)
    }

    /// Adds an account, unless the app has one of this address.
    public func add(_ account: PasswordAccount) async throws -> Bool {
        try await write(
            """
            INSERT INTO PasswordAccount (app, email, userid, hash) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING RETURNING true
            """,
            [.text(account.user.app), .text(account.email.text), .text(account.user.user), .text(account.hash.text)]
        )
    }

    /// Replaces the password of an account, and ends the sessions of its user.
    public func setPassword(_ hash: PasswordHash, of email: EmailAddress, app: String) async throws -> EventOwner? {
        try await change { connection in
            let rows = try connection.rows(
                "UPDATE PasswordAccount SET hash = $3 WHERE app = $1 AND email = $2 RETURNING userid",
                [.text(app), .text(email.text), .text(hash.text)]
            )
            guard rows.count > 0 else { return nil }
            guard let user = rows.text(0, 0) else { throw PostgreSQLFailure.damaged(what: "the row of an account") }
            let owner = EventOwner(app: app, user: user)
            try Self.endSessions(of: owner, on: connection)
            return owner
        }
    }

    /// Returns the account of an address, or nil.
    public func account(of email: EmailAddress, app: String) async throws -> PasswordAccount? {
        try await read { connection in
            let rows = try connection.rows(
                "SELECT userid, email, hash FROM PasswordAccount WHERE app = $1 AND email = $2",
                [.text(app), .text(email.text)]
            )
            return rows.count > 0 ? try Self.account(rows, 0, app: app) : nil
        }
    }

    /// Lists the accounts of an app, by address.
    public func accounts(of app: String, after: EmailAddress?, limit: Int) async throws -> [PasswordAccount] {
        try await read { connection in
            let rows = try connection.rows(
                "SELECT userid, email, hash FROM PasswordAccount WHERE app = $1 AND email > $2 ORDER BY email LIMIT $3",
                [.text(app), .text(after?.text ?? ""), .bigint(Int64(max(0, limit)))]
            )
            return try (0..<rows.count).map { try Self.account(rows, $0, app: app) }
        }
    }

    /// Removes a user for good, and ends the user's sessions.
    public func remove(_ user: EventOwner) async throws {
        _ = try await change { connection in
            let values: [SQLValue] = [.text(user.app), .text(user.user)]
            try connection.rows("DELETE FROM PasswordAccount WHERE app = $1 AND userid = $2", values)
            try connection.rows(
                "INSERT INTO RemovedUser (app, userid) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                values
            )
            try Self.endSessions(of: user, on: connection)
            return true
        }
    }

    /// Returns whether a user was removed.
    public func isRemoved(_ user: EventOwner) async throws -> Bool {
        try await read { connection in
            let rows = try connection.rows(
                "SELECT FROM RemovedUser WHERE app = $1 AND userid = $2",
                [.text(user.app), .text(user.user)]
            )
            return rows.count > 0
        }
    }

    private static func account(_ rows: SQLRows, _ row: Int, app: String) throws -> PasswordAccount {
        guard let user = rows.text(row, 0), let email = rows.text(row, 1),
            let hash = rows.text(row, 2).flatMap({ PasswordHash(text: $0) })
        else { throw PostgreSQLFailure.damaged(what: "the row of an account") }
        return PasswordAccount(user: EventOwner(app: app, user: user), email: try EmailAddress(email), hash: hash)
    }
}

// MARK: - Tokens

extension PostgreSQLAccountStore {
    private static let tokenColumns = "id, role, apps, name, issued, expires, revoked"

    /// Keeps a token that was issued.
    public func add(_ token: IssuedToken) async throws {
        _ = try await write(
            "INSERT INTO IssuedToken (\(Self.tokenColumns)) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING true",
            [
                .text(token.id), .text(token.identity.role), .text(token.identity.appList), .text(token.name),
                .bigint(token.issued.microseconds), .bigint(token.expires.microseconds),
                .bigint(token.revoked?.microseconds),
            ]
        )
    }

    /// Returns a token that was issued, or nil.
    public func token(_ id: String) async throws -> IssuedToken? {
        try await read { connection in
            let rows = try connection.rows("SELECT \(Self.tokenColumns) FROM IssuedToken WHERE id = $1", [.text(id)])
            return rows.count > 0 ? try Self.token(rows, 0) : nil
        }
    }

    /// Lists the tokens that were issued, by their ids.
    public func tokens(after: String?, limit: Int) async throws -> [IssuedToken] {
        try await read { connection in
            let rows = try connection.rows(
                "SELECT \(Self.tokenColumns) FROM IssuedToken WHERE id > $1 ORDER BY id LIMIT $2",
                [.text(after ?? ""), .bigint(Int64(max(0, limit)))]
            )
            return try (0..<rows.count).map { try Self.token(rows, $0) }
        }
    }

    /// Revokes a token for good.
    public func revokeToken(_ id: String, at now: EventInstant) async throws -> Bool {
        try await write(
            "UPDATE IssuedToken SET revoked = $2 WHERE id = $1 AND revoked IS NULL RETURNING true",
            [.text(id), .bigint(now.microseconds)]
        )
    }

    private static func token(_ rows: SQLRows, _ row: Int) throws -> IssuedToken {
        guard let id = rows.text(row, 0), let role = rows.text(row, 1),
            let identity = Identity(role: role, appList: rows.text(row, 2)), let name = rows.text(row, 3),
            let issued = rows.integer(row, 4), let expires = rows.integer(row, 5)
        else { throw PostgreSQLFailure.damaged(what: "the row of a token") }
        return IssuedToken(
            id: id,
            identity: identity,
            name: name,
            issued: EventInstant(microseconds: issued),
            expires: EventInstant(microseconds: expires),
            revoked: rows.integer(row, 6).map(EventInstant.init(microseconds:))
        )
    }
}

// MARK: - Connections

extension PostgreSQLAccountStore {
    /// Runs a statement that changes a row or none, and returns whether it did.
    func write(_ sql: String, _ values: [SQLValue]) async throws -> Bool {
        // Without a change there is nothing to wait for.
        try await change { try $0.rows(sql, values).count > 0 ? true : nil } ?? false
    }

    /// Runs a transaction, which is taken back when the body returns nil.
    func change<T: Sendable>(_ body: @escaping @Sendable (PostgreSQLConnection) throws -> T?) async throws -> T? {
        try await PostgreSQLFailure.naming {
            try await pool.run { [patience] connection in
                try connection.acknowledged(within: patience) { try body(connection) }
            }
        }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (PostgreSQLConnection) throws -> T) async throws -> T {
        try await PostgreSQLFailure.naming {
            try await reading.run { connection in try connection.reading { try body(connection) } }
        }
    }
}
