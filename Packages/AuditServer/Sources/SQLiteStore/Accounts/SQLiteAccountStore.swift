public import AuditModel
public import EventModel
import GRDB

/// The accounts of an embedded server: a SQLite database beside that of the events, which only its owner may read.
public final class SQLiteAccountStore: AccountStore {
    private let queue: DatabaseQueue

    /// Opens the database at a path, or makes one.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be opened or is no database of ours.
    public init(path: String) throws(AuditServerError) {
        var configuration = Configuration()
        configuration.label = "Accounts"
        configuration.busyMode = DatabasePool.patience
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;")
        }
        do {
            try PrivateFile.createIfMissing(path)
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try Self.migrator.migrate(queue)
        } catch let error as AuditServerError {
            throw error
        } catch {
            throw .inaccessible(path: path, reason: SQLiteFailure.reason(error))
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 accounts") { database in
            try database.execute(
                sql: """
                    CREATE TABLE PasswordAccount (
                        app TEXT NOT NULL,
                        email TEXT NOT NULL,
                        user TEXT NOT NULL,
                        hash TEXT NOT NULL,
                        PRIMARY KEY (app, email)
                    ) WITHOUT ROWID;
                    CREATE UNIQUE INDEX PasswordAccountByUser ON PasswordAccount (app, user);
                    CREATE TABLE RemovedUser (
                        app TEXT NOT NULL,
                        user TEXT NOT NULL,
                        PRIMARY KEY (app, user)
                    ) WITHOUT ROWID;
                    """
            )
        }
        migrator.registerMigration("2 issued tokens") { database in
            try database.execute(
                sql: """
                    CREATE TABLE IssuedToken (
                        id TEXT PRIMARY KEY NOT NULL,
                        role TEXT NOT NULL,
                        apps TEXT,
                        name TEXT NOT NULL,
                        issued INTEGER NOT NULL,
                        expires INTEGER NOT NULL,
                        revoked INTEGER
                    ) WITHOUT ROWID;
                    """
            )
        }
        migrator.registerMigration("3 sessions") { database in
            try database.execute(
                sql: """
                    CREATE TABLE UserSession (
                        id TEXT PRIMARY KEY NOT NULL,
                        app TEXT NOT NULL,
                        user TEXT NOT NULL,
                        provider TEXT NOT NULL,
                        began INTEGER NOT NULL,
                        renewed INTEGER NOT NULL,
                        expires INTEGER NOT NULL,
                        address TEXT NOT NULL,
                        generation INTEGER NOT NULL,
                        confirmed INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    CREATE INDEX UserSessionByUser ON UserSession (app, user, id);
                    CREATE INDEX UserSessionByEnd ON UserSession (expires);
                    """
            )
        }
        return migrator
    }

    /// Adds an account, unless the app has one of this address.
    public func add(_ account: PasswordAccount) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "INSERT INTO PasswordAccount (app, email, user, hash) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [account.user.app, account.email.text, account.user.user, account.hash.text]
            )
            return database.changesCount == 1
        }
    }

    /// Replaces the password of an account, and ends the sessions of its user.
    public func setPassword(_ hash: PasswordHash, of email: EmailAddress, app: String) async throws -> EventOwner? {
        try await write { database in
            let user = try String.fetchOne(
                database,
                sql: "UPDATE PasswordAccount SET hash = ? WHERE app = ? AND email = ? RETURNING user",
                arguments: [hash.text, app, email.text]
            )
            guard let owner = user.map({ EventOwner(app: app, user: $0) }) else { return nil }
            try Self.endSessions(of: owner, in: database)
            return owner
        }
    }

    /// Returns the account of an address, or nil.
    public func account(of email: EmailAddress, app: String) async throws -> PasswordAccount? {
        try await read { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT user, hash FROM PasswordAccount WHERE app = ? AND email = ?",
                arguments: [app, email.text]
            )
            guard let row else { return nil }
            guard let hash = PasswordHash(text: row["hash"]) else {
                throw AuditServerError.unavailable(reason: "the hash of a password is damaged")
            }
            return PasswordAccount(user: EventOwner(app: app, user: row["user"]), email: email, hash: hash)
        }
    }

    /// Lists the accounts of an app, by address.
    public func accounts(of app: String, after: EmailAddress?, limit: Int) async throws -> [PasswordAccount] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT email, user, hash FROM PasswordAccount WHERE app = ? AND email > ? ORDER BY email LIMIT ?",
                arguments: [app, after?.text ?? "", limit]
            )
            .map { row in
                guard let hash = PasswordHash(text: row["hash"]) else {
                    throw AuditServerError.unavailable(reason: "the hash of a password is damaged")
                }
                let user = EventOwner(app: app, user: row["user"])
                return PasswordAccount(user: user, email: try EmailAddress(row["email"]), hash: hash)
            }
        }
    }

    /// Removes a user for good, and ends the user's sessions.
    public func remove(_ user: EventOwner) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM PasswordAccount WHERE app = ? AND user = ?",
                arguments: [user.app, user.user]
            )
            try database.execute(
                sql: "INSERT INTO RemovedUser (app, user) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [user.app, user.user]
            )
            try Self.endSessions(of: user, in: database)
        }
    }

    /// Returns whether a user was removed.
    public func isRemoved(_ user: EventOwner) async throws -> Bool {
        try await read { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM RemovedUser WHERE app = ? AND user = ?)",
                arguments: [user.app, user.user]
            ) ?? false
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await SQLiteFailure.naming { try await queue.write(body) }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await SQLiteFailure.naming { try await queue.read(body) }
    }
}
