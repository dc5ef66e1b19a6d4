public import EventModel

/// The folder where the server keeps the databases, the keys that sign tokens, and the auditor's and administrator's tokens.
public struct DataFolder: Sendable {
    /// The folder.
    public let path: String

    /// Makes the folder if it is missing.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when it cannot be made.
    public init(_ path: String) throws(AuditServerError) {
        self.path = path
        try PrivateFile.makeFolder(path)
    }

    /// The database.
    public var databasePath: String { "\(path)/events.sqlite" }

    /// The search index, which is made anew when it is missing.
    public var searchPath: String { "\(path)/search.sqlite" }

    /// The folder of exports, which are removed by themselves after a while.
    public var exportsPath: String { "\(path)/exports" }

    /// The database of accounts.
    public var accountsPath: String { "\(path)/accounts.sqlite" }

    /// The key that signs tokens: 32 random bytes that only the owner of the folder may read.
    public var tokenKeyPath: String { "\(path)/token.key" }

    /// The token of a reviewer of all apps, one line that only the owner of the folder may read.
    public var auditorTokenPath: String { "\(path)/auditor.token" }

    /// The key that signed tokens before the last rotation; their time runs out by itself.
    public var earlierTokenKeyPath: String { "\(path)/token.key.earlier" }

    /// The token for administrators, one line that only the owner of the folder may read.
    public var administratorTokenPath: String { "\(path)/administrator.token" }

    /// The key that signs receipts: 32 random bytes that only the owner of the folder may read.
    public var signingKeyPath: String { "\(path)/signing.key" }

    /// Loads the key that signs receipts, or makes one in a new folder.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when the file cannot be used.
    public func signingKey() throws(AuditServerError) -> SigningKey {
        if let bytes = try PrivateFile.read(signingKeyPath) {
            guard bytes.count == SigningKey.byteCount else {
                throw .inaccessible(path: signingKeyPath, reason: "it does not hold \(SigningKey.byteCount) bytes")
            }
            return try SigningKey(bytes)
        }
        let bytes = SigningKey.makeKey()
        try PrivateFile.write(bytes, to: signingKeyPath)
        return try SigningKey(bytes)
    }

    /// Puts a new key in the place of the one that signs tokens, which goes on being accepted until the next rotation.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when a file cannot be used; the old key then still signs.
    public func rotateTokenKey() throws(AuditServerError) {
        if let key = try PrivateFile.read(tokenKeyPath) { try PrivateFile.write(key, to: earlierTokenKeyPath) }
        try PrivateFile.write(TokenIssuer.makeKey(), to: tokenKeyPath)
    }

    /// Loads the keys of the folder, makes one in a new folder, and writes fresh tokens for a reviewer and an administrator.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when a file cannot be used.
    public func tokenIssuer(clock: any EventClock) async throws -> TokenIssuer {
        let earlier = try PrivateFile.read(earlierTokenKeyPath)
        let tokens = try await TokenIssuer(
            key: try tokenKey(),
            earlier: try earlier.map { [try checked($0, earlierTokenKeyPath)] } ?? [],
            clock: clock
        )
        try await writeTokens(of: tokens)
        return tokens
    }

    /// Writes fresh tokens for auditors and administrators.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when a file cannot be written.
    public func writeTokens(of tokens: TokenIssuer) async throws {
        for (identity, path) in [(Identity.reviewer, auditorTokenPath), (.administrator, administratorTokenPath)] {
            let token = try await tokens.issue(identity, for: .access)
            try PrivateFile.write(Array("\(token)\n".utf8), to: path)
        }
    }

    private func tokenKey() throws(AuditServerError) -> [UInt8] {
        if let key = try PrivateFile.read(tokenKeyPath) { return try checked(key, tokenKeyPath) }
        let key = TokenIssuer.makeKey()
        try PrivateFile.write(key, to: tokenKeyPath)
        return key
    }

    private func checked(_ key: [UInt8], _ path: String) throws(AuditServerError) -> [UInt8] {
        guard key.count == TokenIssuer.keyByteCount else {
            throw .inaccessible(path: path, reason: "it does not hold \(TokenIssuer.keyByteCount) bytes")
        }
        return key
    }
}
