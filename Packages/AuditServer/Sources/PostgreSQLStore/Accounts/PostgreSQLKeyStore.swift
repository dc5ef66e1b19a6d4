public import AuditModel
public import EventModel

/// The keys that all servers on one database share: those that sign tokens, and the one that signs receipts.
///
/// Whoever can read the table can make tokens of any user, so a cipher encrypts the keys there; without one they are as
/// safe as the database and its backups.
public final class PostgreSQLKeyStore: TokenKeySource {
    enum Purpose: String, CaseIterable {
        case token, receipt
    }

    private struct Key {
        let secret: [UInt8]
        let isKnownToAll: Bool
    }

    /// How many keys tokens are checked with: the one that signs, and the one before it.
    private static let tokenKeyCount: Int64 = 2
    /// The lock under which keys are made; a number that is ours alone.
    private static let lock = "SELECT pg_advisory_xact_lock(7521983764150232)"

    let pool: ConnectionPool
    private let cipher: KeyCipher?

    /// Connects to a database and makes or updates its tables.
    ///
    /// - Parameters:
    ///   - configuration: Where the database is; one connection is used.
    ///   - cipher: What encrypts the keys; nil stores them as they are.
    ///   - timer: What ends the waiting for the connection.
    /// - Throws: `AuditServerError.inaccessible` with what to do about it, when the database cannot be reached or used.
    public init(
        _ configuration: PostgreSQLConfiguration,
        cipher: KeyCipher? = nil,
        timer: any EventTimer = SystemTimer()
    ) async throws {
        pool = ConnectionPool(configuration, name: "daybook.keys", count: 1, timer: timer)
        self.cipher = cipher
        try await PostgreSQLSchema.prepare(configuration, on: pool)
    }

    /// Returns the keys that tokens are checked with, the one that signs first; makes one in a new database.
    ///
    /// A new key signs once it is there for 90 seconds, so that every server knows it by then.
    public func tokenKeys() async throws -> [[UInt8]] {
        let keys = try await keys(.token, count: Self.tokenKeyCount, orMaking: TokenKey.make)
        // The newest come first; where none is old enough, the oldest is known the longest.
        let signing = keys.firstIndex(where: \.isKnownToAll) ?? keys.count - 1
        return ([keys[signing]] + keys[..<signing] + keys[(signing + 1)...]).map(\.secret)
    }

    /// Returns the key that signs receipts, which stays the same until a server takes another one; makes one in a new database.
    public func signingKey() async throws -> SigningKey {
        let keys = try await keys(.receipt, count: 1, orMaking: SigningKey.makeKey)
        return try SigningKey(keys.first?.secret ?? [])
    }

    /// Returns whether there is a key of each kind.
    public func hasAll() async throws -> Bool {
        try await PostgreSQLFailure.naming {
            try await pool.run { connection in
                try connection.reading {
                    try connection.rows("SELECT DISTINCT purpose FROM ServerKey").count == Purpose.allCases.count
                }
            }
        }
    }

    /// Puts a new key in the place of the one that signs tokens, which goes on being accepted until the next rotation.
    ///
    /// The new one signs 90 seconds later; until then servers learn of it.
    public func rotateTokenKey() async throws {
        _ = try await tokenKeys()
        try await acknowledged { [self] connection in
            try insert(TokenKey.make(), .token, on: connection)
            try connection.rows(
                """
                DELETE FROM ServerKey WHERE purpose = $1 AND ordinal NOT IN (
                    SELECT ordinal FROM ServerKey WHERE purpose = $1 ORDER BY ordinal DESC LIMIT $2
                )
                """,
                [.text(Purpose.token.rawValue), .bigint(Self.tokenKeyCount)]
            )
        }
    }

    /// Takes over the keys of a server that had them in its own folder, unless the database has keys already.
    public func adopt(tokenKey: [UInt8]?, signingKey: [UInt8]?) async throws {
        let found: [(Purpose, [UInt8]?)] = [(.token, tokenKey), (.receipt, signingKey)]
        for case (let purpose, .some(let key)) in found {
            _ = try await keys(purpose, count: 1, orMaking: { key })
        }
    }

    // MARK: - Rows

    private func keys(
        _ purpose: Purpose,
        count: Int64,
        orMaking make: @escaping @Sendable () -> [UInt8]
    ) async throws -> [Key] {
        let known = try await PostgreSQLFailure.naming {
            try await pool.run { [self] connection in
                try connection.reading { try read(purpose, count, on: connection) }
            }
        }
        if !known.isEmpty { return known }
        try await acknowledged { [self] connection in
            // Another server may have made one meanwhile.
            if try read(purpose, 1, on: connection).isEmpty { try insert(make(), purpose, on: connection) }
        }
        return try await PostgreSQLFailure.naming {
            try await pool.run { [self] connection in
                try connection.reading { try read(purpose, count, on: connection) }
            }
        }
    }

    func acknowledged(_ body: @escaping @Sendable (PostgreSQLConnection) throws -> Void) async throws {
        try await PostgreSQLFailure.naming {
            try await pool.run { connection in
                _ = try connection.acknowledged {
                    try connection.run(Self.lock)
                    try body(connection)
                    return true
                }
            }
        }
    }

    private func read(_ purpose: Purpose, _ count: Int64, on connection: PostgreSQLConnection) throws -> [Key] {
        let rows = try connection.rows(
            """
            SELECT secret, sealed, created < now() - interval '90 seconds' FROM ServerKey
            WHERE purpose = $1 ORDER BY ordinal DESC LIMIT $2
            """,
            [.text(purpose.rawValue), .bigint(count)]
        )
        return try (0..<rows.count)
            .map { row in
                guard let secret = rows.bytes(row, 0), let isSealed = rows.boolean(row, 1),
                    let isKnownToAll = rows.boolean(row, 2)
                else { throw PostgreSQLFailure.damaged(what: "a key of the servers") }
                return Key(secret: isSealed ? try open(secret, purpose) : secret, isKnownToAll: isKnownToAll)
            }
    }

    func open(_ sealed: [UInt8], _ purpose: Purpose) throws -> [UInt8] {
        guard let cipher else {
            throw AuditServerError.inaccessible(
                path: "the database",
                reason: "its keys are encrypted; name the key file in postgres.keyFile"
            )
        }
        guard let opened = cipher.open(sealed, for: purpose.rawValue) else {
            throw AuditServerError.inaccessible(
                path: "the database",
                reason: "its keys are encrypted with another key file"
            )
        }
        return opened
    }

    func insert(_ key: [UInt8], _ purpose: Purpose, on connection: PostgreSQLConnection) throws {
        let secret = try cipher?.seal(key, for: purpose.rawValue) ?? key
        try connection.rows(
            "INSERT INTO ServerKey (purpose, secret, sealed) VALUES ($1, $2, $3)",
            [.text(purpose.rawValue), .bytes(secret), .boolean(cipher != nil)]
        )
    }
}
