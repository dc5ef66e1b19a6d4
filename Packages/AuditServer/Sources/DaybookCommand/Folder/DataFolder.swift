public import AuditAccounts
public import AuditModel
public import EventModel
import Foundation

/// The folder where the server keeps the databases, the keys that sign tokens, and the auditor's and administrator's tokens.
public struct DataFolder: Sendable {
    /// The folder.
    public let path: String

    /// Makes the folder if it is missing.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be made, or others may write to it.
    public init(_ path: String) throws(AuditServerError) {
        self.path = path
        try PrivateFile.makeFolder(path)
        try PrivateFile.refuseSharedFolder(path)
    }

    /// Names a folder that is there, and makes none; nil when there is none.
    init?(lookingInto path: String) {
        guard PrivateFile.isFolder(path) else { return nil }
        self.path = path
    }

    /// Keeps other servers from the folder for as long as the value is kept.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when another server uses it.
    public func lock() throws(AuditServerError) -> DataFolderLock { try DataFolderLock("\(path)/lock", of: path) }

    /// The database.
    public var databasePath: String { "\(path)/events.sqlite" }

    /// The database of the realms that devices share.
    public var realmsPath: String { "\(path)/realms.sqlite" }

    /// The search index, which is made anew when it is missing.
    public var searchPath: String { "\(path)/search.sqlite" }

    /// What is remembered of the clock; made anew when it is missing.
    public var clockPath: String { "\(path)/clock.json" }

    /// The folder of exports, which are removed by themselves after a while.
    public var exportsPath: String { "\(path)/exports" }

    /// The published log of sealed partitions: files for everybody who wants to check or copy it.
    public var logPath: String { URL(fileURLWithPath: path).appendingPathComponent("log").path }

    /// Which partitions of the auditors' trail are not sealed yet.
    public var trailPath: String { "\(path)/trail.open" }

    /// How far the checks of what is stored are, and what they found; made anew when it is missing.
    public var checkPath: String { "\(path)/log-check.json" }

    /// The database of accounts.
    public var accountsPath: String { "\(path)/accounts.sqlite" }

    /// The copy of the accounts that were imported into a database that servers share.
    public var importedAccountsPath: String { "\(path)/accounts.sqlite.imported" }

    /// The key that signs tokens: 32 random bytes that only the owner of the folder may read.
    public var tokenKeyPath: String { "\(path)/token.key" }

    /// The token of a reviewer of all apps, one line that only the owner of the folder may read.
    public var auditorTokenPath: String { "\(path)/auditor.token" }

    /// The key that signed tokens before the last rotation; their time runs out by itself.
    public var earlierTokenKeyPath: String { "\(path)/token.key.earlier" }

    /// The token for administrators, one line that only the owner of the folder may read.
    public var administratorTokenPath: String { "\(path)/administrator.token" }

    /// What somebody gets whose folder has events and lacks a key.
    ///
    /// - Parameter path: Where the key should be.
    /// - Returns: The error.
    package static func missingKey(_ path: String) -> AuditServerError {
        .inaccessible(
            path: path,
            reason: "the key is missing, and there are events of devices that know it; bring it from a backup, or have "
                + "another one made with --make-missing-keys, for which devices stop or have to sign in again"
        )
    }

    /// Puts a new key in the place of the one that signs tokens, which goes on being accepted until the next rotation.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file cannot be used; the old key then still signs.
    public func rotateTokenKey() throws(AuditServerError) {
        if let key = try key(tokenKeyPath) { try PrivateFile.write(key, to: earlierTokenKeyPath) }
        try PrivateFile.write(TokenIssuer.makeKey(), to: tokenKeyPath)
    }

    /// Loads the keys of the folder, makes one in a new folder, and writes fresh tokens for a reviewer and an administrator.
    ///
    /// - Parameters:
    ///   - clock: The clock that tokens expire by.
    ///   - makesMissing: Whether a key is made when it is missing; true by default. Tokens that were given out are worth nothing
    ///     without theirs, and an anonymous user is nobody again.
    /// - Returns: Who issues tokens with the keys.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file cannot be used, or is missing and not to be made.
    public func tokenIssuer(
        clock: any EventClock,
        makingMissing makesMissing: Bool = true
    ) async throws -> TokenIssuer {
        let tokens = try await TokenIssuer(
            key: try tokenKey(makesMissing),
            earlier: try key(earlierTokenKeyPath).map { [$0] } ?? [],
            clock: clock
        )
        try await writeTokens(of: tokens)
        return tokens
    }

    /// Writes fresh tokens for auditors and administrators.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file cannot be written.
    public func writeTokens(of tokens: TokenIssuer) async throws {
        for (identity, path) in [(Identity.reviewer, auditorTokenPath), (.administrator, administratorTokenPath)] {
            let token = try await tokens.issue(identity, for: .access)
            try PrivateFile.write(Array("\(token)\n".utf8), to: path)
        }
    }

    private func tokenKey(_ makesMissing: Bool) throws(AuditServerError) -> [UInt8] {
        if let key = try key(tokenKeyPath) { return key }
        guard makesMissing else { throw Self.missingKey(tokenKeyPath) }
        let key = TokenIssuer.makeKey()
        try PrivateFile.write(key, to: tokenKeyPath, replacing: false)
        return key
    }

    /// Reads a key of 32 bytes; nil when there is none.
    func key(_ path: String) throws(AuditServerError) -> [UInt8]? {
        try PrivateFile.refuseLink(path)
        guard let key = try PrivateFile.read(path) else { return nil }
        guard key.count == TokenIssuer.keyByteCount else {
            throw .inaccessible(path: path, reason: "it does not hold \(TokenIssuer.keyByteCount) bytes")
        }
        return key
    }
}
