public import AuditModel
public import EventModel
public import EventProofs

/// The key that signs receipts of all servers on one database, and how it came to it.
public struct SharedIdentity: Sendable {
    /// The key.
    public let key: SigningKey
    /// How keys followed each other before it; empty where it is the first.
    public let history: KeyHistory
    /// How long it may not sign yet, as servers that know the key before it alone still do.
    ///
    /// At most `SigningTerm.handover`, also where the clock of the database was put back.
    public let wait: Duration
}

extension PostgreSQLKeyStore {
    /// Returns the key that signs receipts with the statements that led to it, all as of one moment; makes a key in a new database.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the statements lead to another key, or one cannot be read.
    public func identity() async throws -> SharedIdentity {
        _ = try await signingKey()
        return try await PostgreSQLFailure.naming {
            try await pool.run { [self] connection in try connection.reading { try identity(on: connection) } }
        }
    }

    /// Puts a new key in the place of the one that signs receipts, which signs that it is so and is then forgotten: both or nothing of it.
    ///
    /// The new key signs once ``SharedIdentity/wait`` is over. Servers that sign with the old one stop before that; see `SigningTerm`.
    ///
    /// - Parameter now: The time by the server's clock.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when there is no room for another statement; what the database throws, and the
    ///   old key is then present, or the new one with its statement.
    public func rotateSigningKey(at now: EventInstant) async throws {
        _ = try await signingKey()
        try await acknowledged { [self] connection in
            let before = try identity(on: connection)
            guard before.history.successions.count < KeyHistory.maximumCount else {
                throw AuditServerError.inaccessible(
                    path: "the table KeyStatement",
                    reason:
                        "\(KeyHistory.maximumCount) keys have followed each other, and there is no room for another; "
                        + "start without --rotate-signing-key"
                )
            }
            let secret = SigningKey.makeKey()
            let taken = EventInstant(
                microseconds: now.microseconds + SigningTerm.handover.components.seconds * 1_000_000
            )
            let time = max(taken, before.history.successions.last?.time ?? taken)
            let statement = try before.key.succession(to: SigningKey(secret), at: time)
            _ = try KeyHistory(before.history.successions + [statement])
            try connection.rows("DELETE FROM ServerKey WHERE purpose = $1", [.text(Purpose.receipt.rawValue)])
            try insert(secret, .receipt, on: connection)
            try insert([statement], on: connection)
        }
    }

    /// Takes over the statements of a server that had them in its own folder, if they lead to the key that is here and none are here yet.
    public func adopt(_ history: KeyHistory) async throws {
        guard let present = history.present else { return }
        try await acknowledged { [self] connection in
            let known = try identity(on: connection)
            guard known.history.present == nil, known.key.publicKey == present.receipts else { return }
            try insert(history.successions, on: connection)
        }
    }

    /// Waits until the key and its statements are on the standbys, so that no failover takes a key away that has signed.
    ///
    /// PostgreSQL's log is one sequence: what is written here is there once everything before it is.
    public func confirm() async throws {
        try await acknowledged { connection in
            try connection.rows(
                "UPDATE ServerKey SET sealed = sealed WHERE purpose = $1",
                [.text(Purpose.receipt.rawValue)]
            )
        }
    }

    /// Reads key and statements in one statement, which sees no other transaction between them.
    private func identity(on connection: PostgreSQLConnection) throws -> SharedIdentity {
        let rows = try connection.rows(
            """
            SELECT secret, sealed,
                (SELECT coalesce(string_agg(encode(statement, 'hex') || ';', '' ORDER BY ordinal), '') FROM KeyStatement),
                greatest(0, least($2::bigint, $2::bigint - extract(epoch FROM now() - created) * 1000))::bigint
            FROM ServerKey WHERE purpose = $1 ORDER BY ordinal DESC LIMIT 1
            """,
            [.text(Purpose.receipt.rawValue), .bigint(SigningTerm.handover.components.seconds * 1000)]
        )
        guard rows.count == 1, let secret = rows.bytes(0, 0), let isSealed = rows.boolean(0, 1),
            let statements = rows.text(0, 2), let milliseconds = rows.integer(0, 3)
        else { throw PostgreSQLFailure.damaged(what: "a key of the servers") }
        let key = try SigningKey(isSealed ? try open(secret, .receipt) : secret)
        let history: KeyHistory
        do {
            history = try KeyHistory(
                texts: statements.split(separator: ";", omittingEmptySubsequences: false).dropLast()
                    .map { String(decoding: Hexadecimal.bytes(String($0)) ?? [], as: UTF8.self) }
            )
        } catch {
            throw Self.foreign("it does not hold the statements of the servers' keys: \(error)")
        }
        if let present = history.present, present.receipts != key.publicKey {
            throw Self.foreign("its statements lead to another key than ServerKey has")
        }
        // Nobody signs with a key before the first one.
        let wait: Duration = history.present == nil ? .zero : .milliseconds(milliseconds)
        return SharedIdentity(key: key, history: history, wait: wait)
    }

    private func insert(_ statements: [KeySuccession], on connection: PostgreSQLConnection) throws {
        for statement in statements {
            try connection.rows("INSERT INTO KeyStatement (statement) VALUES ($1)", [.bytes(statement.note.bytes)])
        }
    }

    private static func foreign(_ reason: String) -> AuditServerError {
        .inaccessible(path: "the table KeyStatement", reason: "\(reason); bring it and ServerKey from one backup")
    }
}
