import AuditAccounts
import AuditHTTP
import AuditModel
import EventModel
import EventProofs
import Foundation
import Logging
import PostgreSQLStore
import SQLiteStore
import SyncServer

/// What a server stands on: all of it in its folder, or all but its own tokens in a database that servers share.
struct ServerParts {
    /// Where events go.
    let store: any AuditStore
    /// Where realms are that devices share; nil for servers that share a database.
    let realms: (any ChangeStore)?
    /// Where users and issued tokens are kept.
    let accounts: any AccountStore
    /// Who issues and checks tokens.
    let tokens: TokenIssuer
    /// The key that signs receipts, and how it came to it.
    let identity: ServerIdentity
    /// For how long it signs, where servers share it; nil where this one alone has it.
    let term: SigningTerm?

    /// Opens the parts.
    ///
    /// - Parameters:
    ///   - folder: The data folder.
    ///   - database: The database; nil keeps everything in the folder.
    ///   - cipher: What encrypts keys in the database.
    ///   - rotatesTokenKey: Whether tokens get a new key first.
    ///   - rotatesSigningKey: Whether receipts and the log get a new key first.
    ///   - makesMissingKeys: Whether keys that are missing are made although there are events.
    ///   - logger: Where concerns about the database are noted.
    /// - Throws: `AuditServerError` when something cannot be opened.
    init(
        _ folder: DataFolder,
        _ database: PostgreSQLConfiguration?,
        _ cipher: KeyCipher?,
        rotatesTokenKey: Bool,
        rotatesSigningKey: Bool,
        makesMissingKeys: Bool,
        _ logger: Logger
    ) async throws {
        guard let database else {
            let events = try SQLiteEventStore(path: folder.databasePath)
            let mayMake = try await Self.mayMakeKeys(makesMissingKeys, events)
            // LIVE: the statement says when.
            if rotatesSigningKey { try folder.rotateSigningKey(at: SystemClock().now().wall, makingMissing: mayMake) }
            identity = try folder.identity(makingMissing: mayMake)
            if rotatesTokenKey { try folder.rotateTokenKey() }
            tokens = try await folder.tokenIssuer(clock: SystemClock(), makingMissing: mayMake)
            store = events
            accounts = try SQLiteAccountStore(path: folder.accountsPath)
            realms = try SQLiteChangeStore(path: folder.realmsPath)
            term = nil
            return
        }
        let events = try await PostgreSQLEventStore(database)
        let keys = try await PostgreSQLKeyStore(database, cipher: cipher)
        // A server that kept its keys in the folder before brings them along, so that its users stay signed in.
        try await keys.adopt(
            tokenKey: try PrivateFile.read(folder.tokenKeyPath),
            signingKey: try PrivateFile.read(folder.signingKeyPath)
        )
        let mayMake = try await Self.mayMakeKeys(makesMissingKeys, events)
        if !mayMake, try await !keys.hasAll() { throw DataFolder.missingKey("the table ServerKey") }
        if rotatesTokenKey { try await keys.rotateTokenKey() }
        tokens = try await TokenIssuer(sharing: keys, clock: SystemClock())
        try await folder.writeTokens(of: tokens)
        // LIVE: the statement says when.
        if rotatesSigningKey { try await keys.rotateSigningKey(at: SystemClock().now().wall) }
        let shared = try await Self.identity(keys, folder, logger)
        identity = ServerIdentity(key: shared.key, history: shared.history)
        term = SigningTerm(of: shared.key.publicKey, clock: SystemClock()) { try await keys.identity().key.publicKey }
        store = events
        realms = nil
        accounts = try await PostgreSQLAccountStore(database)
        if try await !events.waitsForStandbys() {
            logger.warning(
                "PostgreSQL's synchronous_standby_names is empty: what devices are told is safe is on one machine."
            )
        }
        // LIVE: only the presence of a file that an earlier start made.
        if FileManager.default.fileExists(atPath: folder.accountsPath), !PrivateFile.exists(folder.importedAccountsPath)
        {
            let count = try await SQLiteAccountStore(path: folder.accountsPath).accountCount()
            logger.warning(
                "\(folder.accountsPath) is not used with PostgreSQL, and \(count) users are in it: 'daybook users import' brings them."
            )
        }
    }

    /// Takes the key that servers share, with the statements that this one may have had in its folder, once it may sign.
    private static func identity(
        _ keys: PostgreSQLKeyStore,
        _ folder: DataFolder,
        _ logger: Logger
    ) async throws -> SharedIdentity {
        var shared = try await keys.identity()
        let kept = try folder.keyHistory(leadingTo: shared.key)
        if shared.history.present == nil, kept.present != nil {
            try await keys.adopt(kept)
            shared = try await keys.identity()
        }
        // Once for each key: whatever became of the database's clock meanwhile, the terms of the others are over by the monotonic one.
        var waited: [UInt8]?
        while shared.wait > .zero, shared.key.publicKey != waited {
            logger.notice("The server waits until the others do not sign with the key before any more: \(shared.wait).")
            waited = shared.key.publicKey
            // LIVE: the database says how long.
            try await Task.sleep(for: shared.wait)
            shared = try await keys.identity()
        }
        if shared.history.present != nil { try await keys.confirm() }
        return shared
    }

    /// Whether a key that is missing is made: nobody knows one of a server without events.
    private static func mayMakeKeys(_ isTold: Bool, _ store: any EventReading) async throws -> Bool {
        if isTold { return true }
        return try await store.partitions(after: nil, limit: 1).isEmpty
    }
}
