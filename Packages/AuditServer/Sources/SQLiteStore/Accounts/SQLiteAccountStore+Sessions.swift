public import AuditModel
public import EventModel
import GRDB

extension SQLiteAccountStore {
    private static let columns = "id, app, user, provider, began, renewed, expires, address, generation, confirmed"

    /// Keeps a session that begins.
    public func begin(
        _ session: UserSession,
        provenBy password: PasswordHash?,
        maximum: Int
    ) async throws -> [String]? {
        try await write { database in
            guard try Self.mayBegin(session.owner, provenBy: password, in: database) else { return nil }
            if try Self.find(session.id, in: database) != nil { return [] }
            let ended = try Self.makeRoom(for: session.owner, maximum, in: database)
            try database.execute(
                sql: "INSERT INTO UserSession (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    session.id, session.owner.app, session.owner.user, session.provider, session.began.microseconds,
                    session.renewed.microseconds, session.expires.microseconds, session.address, session.generation,
                    session.isConfirmed,
                ]
            )
            return ended
        }
    }

    /// Returns a session that has not ended, or nil.
    public func session(_ id: String) async throws -> UserSession? {
        try await read { try Self.find(id, in: $0) }
    }

    /// Takes a refresh token.
    public func renew(
        _ stamp: SessionStamp,
        at now: EventInstant,
        from address: String
    ) async throws -> (UserSession, UserSession.Renewal)? {
        try await write { database in
            guard var session = try Self.find(stamp.session, in: database), session.expires > now else { return nil }
            let renewal = session.renew(stamp.generation, at: now, from: address)
            if renewal == .reused {
                try database.execute(sql: "DELETE FROM UserSession WHERE id = ?", arguments: [session.id])
            } else {
                try Self.update(session, in: database)
            }
            return (session, renewal)
        }
    }

    /// Learns that a token was used.
    public func confirm(_ stamp: SessionStamp) async throws {
        try await write { database in
            try database.execute(
                sql: "UPDATE UserSession SET confirmed = 1 WHERE id = ? AND generation = ?",
                arguments: [stamp.session, stamp.generation]
            )
        }
    }

    /// Lists the sessions of a user by their ids.
    public func sessions(of user: EventOwner, after: String?, limit: Int) async throws -> [UserSession] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(Self.columns) FROM UserSession
                    WHERE app = ? AND user = ? AND id > ? ORDER BY id LIMIT ?
                    """,
                arguments: [user.app, user.user, after ?? "", limit]
            )
            .map(Self.session)
        }
    }

    /// Ends a session of a user.
    public func endSession(_ id: String, of user: EventOwner) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM UserSession WHERE id = ? AND app = ? AND user = ?",
                arguments: [id, user.app, user.user]
            )
            return database.changesCount == 1
        }
    }

    /// Ends all sessions of a user.
    public func endSessions(of user: EventOwner) async throws -> Int {
        try await write { try Self.endSessions(of: user, in: $0) }
    }

    /// Forgets the sessions whose time was over at a moment.
    public func removeSessions(expiredBy moment: EventInstant) async throws -> Int {
        try await write { database in
            try database.execute(sql: "DELETE FROM UserSession WHERE expires <= ?", arguments: [moment.microseconds])
            return database.changesCount
        }
    }

    /// Returns all sessions, for another store.
    func allSessions() async throws -> [UserSession] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT \(Self.columns) FROM UserSession ORDER BY id").map(Self.session)
        }
    }

    // MARK: - Rows

    @discardableResult
    static func endSessions(of user: EventOwner, in database: Database) throws -> Int {
        try database.execute(
            sql: "DELETE FROM UserSession WHERE app = ? AND user = ?",
            arguments: [user.app, user.user]
        )
        return database.changesCount
    }

    private static func mayBegin(
        _ user: EventOwner,
        provenBy password: PasswordHash?,
        in database: Database
    ) throws -> Bool {
        let isRemoved = try Row.fetchOne(
            database,
            sql: "SELECT 1 FROM RemovedUser WHERE app = ? AND user = ?",
            arguments: [user.app, user.user]
        )
        guard isRemoved == nil else { return false }
        guard let password else { return true }
        let hash = try String.fetchOne(
            database,
            sql: "SELECT hash FROM PasswordAccount WHERE app = ? AND user = ?",
            arguments: [user.app, user.user]
        )
        return hash == password.text
    }

    private static func makeRoom(for user: EventOwner, _ maximum: Int, in database: Database) throws -> [String] {
        let count = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM UserSession WHERE app = ? AND user = ?",
            arguments: [user.app, user.user]
        )
        guard let count, count >= maximum else { return [] }
        return try String.fetchAll(
            database,
            sql: """
                DELETE FROM UserSession WHERE id IN (
                    SELECT id FROM UserSession WHERE app = :app AND user = :user AND address = (
                        SELECT address FROM UserSession WHERE app = :app AND user = :user
                        GROUP BY address ORDER BY count(*) DESC, address LIMIT 1
                    )
                    ORDER BY renewed, id LIMIT 1
                ) RETURNING id
                """,
            arguments: ["app": user.app, "user": user.user]
        )
    }

    private static func find(_ id: String, in database: Database) throws -> UserSession? {
        try Row.fetchOne(database, sql: "SELECT \(columns) FROM UserSession WHERE id = ?", arguments: [id])
            .map(session)
    }

    private static func update(_ session: UserSession, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE UserSession SET renewed = ?, expires = ?, address = ?, generation = ?, confirmed = ? WHERE id = ?
                """,
            arguments: [
                session.renewed.microseconds, session.expires.microseconds, session.address, session.generation,
                session.isConfirmed, session.id,
            ]
        )
    }

    private static func session(_ row: Row) throws -> UserSession {
        guard let id = String.fromDatabaseValue(row["id"]), let app = String.fromDatabaseValue(row["app"]),
            let user = String.fromDatabaseValue(row["user"]), let provider = String.fromDatabaseValue(row["provider"]),
            let began = Int64.fromDatabaseValue(row["began"]), let renewed = Int64.fromDatabaseValue(row["renewed"]),
            let expires = Int64.fromDatabaseValue(row["expires"]),
            let address = String.fromDatabaseValue(row["address"]),
            let generation = Int64.fromDatabaseValue(row["generation"]),
            let isConfirmed = Bool.fromDatabaseValue(row["confirmed"])
        else { throw AuditServerError.unavailable(reason: "the row of a session is damaged") }
        return UserSession(
            id: id,
            owner: EventOwner(app: app, user: user),
            provider: provider,
            began: EventInstant(microseconds: began),
            renewed: EventInstant(microseconds: renewed),
            expires: EventInstant(microseconds: expires),
            address: address,
            generation: generation,
            isConfirmed: isConfirmed
        )
    }
}
