public import AuditModel
public import EventModel

extension PostgreSQLAccountStore {
    private static let sessionColumns =
        "id, app, userid, provider, began, renewed, expires, address, generation, confirmed"

    /// Keeps a session that begins.
    public func begin(
        _ session: UserSession,
        provenBy password: PasswordHash?,
        maximum: Int
    ) async throws -> [String]? {
        try await change { connection in
            try Self.lock(session.owner, on: connection)
            guard try Self.mayBegin(session.owner, provenBy: password, on: connection) else { return nil }
            if try Self.find(session.id, on: connection) != nil { return [] }
            let ended = try Self.makeRoom(for: session.owner, maximum, on: connection)
            try connection.rows(
                """
                INSERT INTO UserSession (\(Self.sessionColumns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                """,
                [
                    .text(session.id), .text(session.owner.app), .text(session.owner.user), .text(session.provider),
                    .bigint(session.began.microseconds), .bigint(session.renewed.microseconds),
                    .bigint(session.expires.microseconds), .text(session.address), .bigint(session.generation),
                    .boolean(session.isConfirmed),
                ]
            )
            return ended
        }
    }

    /// Returns a session that has not ended, or nil.
    public func session(_ id: String) async throws -> UserSession? {
        try await read { try Self.find(id, on: $0) }
    }

    /// Takes a refresh token.
    public func renew(
        _ stamp: SessionStamp,
        at now: EventInstant,
        from address: String
    ) async throws -> (UserSession, UserSession.Renewal)? {
        try await change { connection in
            guard var session = try Self.find(stamp.session, on: connection, "FOR UPDATE"), session.expires > now else {
                return nil
            }
            let renewal = session.renew(stamp.generation, at: now, from: address)
            if renewal == .reused {
                try connection.rows("DELETE FROM UserSession WHERE id = $1", [.text(session.id)])
            } else {
                try Self.update(session, on: connection)
            }
            return (session, renewal)
        }
    }

    /// Learns that a token was used.
    public func confirm(_ stamp: SessionStamp) async throws {
        try await PostgreSQLFailure.naming {
            try await reading.run { connection in
                // A request waits neither for standbys here nor for a renewal that does.
                try connection.committedHere {
                    try connection.rows(
                        """
                        UPDATE UserSession SET confirmed = true WHERE id IN (
                            SELECT id FROM UserSession WHERE id = $1 AND generation = $2 FOR UPDATE SKIP LOCKED
                        )
                        """,
                        [.text(stamp.session), .bigint(stamp.generation)]
                    )
                }
            }
        }
    }

    /// Lists the sessions of a user by their ids.
    public func sessions(of user: EventOwner, after: String?, limit: Int) async throws -> [UserSession] {
        try await read { connection in
            let rows = try connection.rows(
                """
                SELECT \(Self.sessionColumns) FROM UserSession
                WHERE app = $1 AND userid = $2 AND id > $3 ORDER BY id LIMIT $4
                """,
                [.text(user.app), .text(user.user), .text(after ?? ""), .bigint(Int64(max(0, limit)))]
            )
            return try (0..<rows.count).map { try Self.session(rows, $0) }
        }
    }

    /// Ends a session of a user.
    public func endSession(_ id: String, of user: EventOwner) async throws -> Bool {
        try await write(
            "DELETE FROM UserSession WHERE id = $1 AND app = $2 AND userid = $3 RETURNING true",
            [.text(id), .text(user.app), .text(user.user)]
        )
    }

    /// Ends all sessions of a user.
    public func endSessions(of user: EventOwner) async throws -> Int {
        try await change { connection in
            let count = try Self.endSessions(of: user, on: connection)
            return count > 0 ? count : nil
        } ?? 0
    }

    /// Forgets the sessions whose time was over at a moment.
    public func removeSessions(expiredBy moment: EventInstant) async throws -> Int {
        try await change { connection in
            let rows = try connection.rows(
                "DELETE FROM UserSession WHERE expires <= $1 RETURNING true",
                [.bigint(moment.microseconds)]
            )
            return rows.count > 0 ? rows.count : nil
        } ?? 0
    }

    // MARK: - Rows

    /// Keeps sessions of a user from beginning while they all end, and the other way round.
    ///
    /// A session that begins is not there yet for a transaction that ends all, which would leave it behind.
    private static func lock(_ user: EventOwner, on connection: PostgreSQLConnection) throws {
        try connection.rows(
            "SELECT pg_advisory_xact_lock(752198376, hashtext($1::text || '/' || $2::text))",
            [.text(user.app), .text(user.user)]
        )
    }

    @discardableResult
    static func endSessions(of user: EventOwner, on connection: PostgreSQLConnection) throws -> Int {
        try lock(user, on: connection)
        return
            try connection.rows(
                "DELETE FROM UserSession WHERE app = $1 AND userid = $2 RETURNING true",
                [.text(user.app), .text(user.user)]
            )
            .count
    }

    private static func mayBegin(
        _ user: EventOwner,
        provenBy password: PasswordHash?,
        on connection: PostgreSQLConnection
    ) throws -> Bool {
        let values: [SQLValue] = [.text(user.app), .text(user.user)]
        let removed = try connection.rows("SELECT FROM RemovedUser WHERE app = $1 AND userid = $2", values)
        guard removed.count == 0 else { return false }
        guard let password else { return true }
        let rows = try connection.rows("SELECT hash FROM PasswordAccount WHERE app = $1 AND userid = $2", values)
        return rows.count > 0 && rows.text(0, 0) == password.text
    }

    private static func makeRoom(
        for user: EventOwner,
        _ maximum: Int,
        on connection: PostgreSQLConnection
    ) throws -> [String] {
        let values: [SQLValue] = [.text(user.app), .text(user.user)]
        let counted = try connection.rows("SELECT count(*) FROM UserSession WHERE app = $1 AND userid = $2", values)
        guard counted.integer(0, 0) ?? 0 >= Int64(maximum) else { return [] }
        let rows = try connection.rows(
            """
            DELETE FROM UserSession WHERE id IN (
                SELECT id FROM UserSession WHERE app = $1 AND userid = $2 AND address = (
                    SELECT address FROM UserSession WHERE app = $1 AND userid = $2
                    GROUP BY address ORDER BY count(*) DESC, address LIMIT 1
                )
                ORDER BY renewed, id LIMIT 1
            ) RETURNING id
            """,
            values
        )
        return (0..<rows.count).compactMap { rows.text($0, 0) }
    }

    private static func find(
        _ id: String,
        on connection: PostgreSQLConnection,
        _ lock: StaticString = ""
    ) throws -> UserSession? {
        let rows = try connection.rows("SELECT \(sessionColumns) FROM UserSession WHERE id = $1 \(lock)", [.text(id)])
        return rows.count > 0 ? try session(rows, 0) : nil
    }

    private static func update(_ session: UserSession, on connection: PostgreSQLConnection) throws {
        try connection.rows(
            """
            UPDATE UserSession SET renewed = $2, expires = $3, address = $4, generation = $5, confirmed = $6
            WHERE id = $1
            """,
            [
                .text(session.id), .bigint(session.renewed.microseconds), .bigint(session.expires.microseconds),
                .text(session.address), .bigint(session.generation), .boolean(session.isConfirmed),
            ]
        )
    }

    private static func session(_ rows: SQLRows, _ row: Int) throws -> UserSession {
        guard let id = rows.text(row, 0), let app = rows.text(row, 1), let user = rows.text(row, 2),
            let provider = rows.text(row, 3), let began = rows.integer(row, 4), let renewed = rows.integer(row, 5),
            let expires = rows.integer(row, 6), let address = rows.text(row, 7),
            let generation = rows.integer(row, 8), let isConfirmed = rows.boolean(row, 9)
        else { throw PostgreSQLFailure.damaged(what: "the row of a session") }
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
