public import EventModel

/// The folder where the server keeps the database, the key that signs tokens, and the auditor's token.
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

    /// The key that signs tokens: 32 random bytes that only the owner of the folder may read.
    public var tokenKeyPath: String { "\(path)/token.key" }

    /// The token for auditors, one line that only the owner of the folder may read.
    public var auditorTokenPath: String { "\(path)/auditor.token" }

    /// Loads the key of the folder, makes one in a new folder, and writes a fresh token for auditors.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when a file cannot be used.
    public func tokenIssuer(clock: any EventClock) async throws -> TokenIssuer {
        let tokens = try await TokenIssuer(key: try tokenKey(), clock: clock)
        let token = try await tokens.issue(.auditor, for: .access)
        try PrivateFile.write(Array("\(token)\n".utf8), to: auditorTokenPath)
        return tokens
    }

    private func tokenKey() throws(AuditServerError) -> [UInt8] {
        if let key = try PrivateFile.read(tokenKeyPath) {
            guard key.count == TokenIssuer.keyByteCount else {
                throw .inaccessible(path: tokenKeyPath, reason: "it does not hold \(TokenIssuer.keyByteCount) bytes")
            }
            return key
        }
        let key = TokenIssuer.makeKey()
        try PrivateFile.write(key, to: tokenKeyPath)
        return key
    }
}
