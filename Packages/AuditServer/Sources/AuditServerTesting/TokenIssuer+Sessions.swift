public import AuditAccounts
public import AuditModel
public import EventModel

extension TokenIssuer {
    /// Begins a session of a user as a sign-in does, and returns a token of it.
    ///
    /// - Parameters:
    ///   - owner: The user.
    ///   - use: What the token is for.
    ///   - accounts: Where the session is kept.
    ///   - clock: The server's clock.
    /// - Returns: The token.
    /// - Throws: What the store and the signing throw.
    public func signIn(
        _ owner: EventOwner,
        for use: Use = .access,
        in accounts: any AccountStore,
        clock: any EventClock
    ) async throws -> String {
        let session = UserSession(
            id: ObjectIdGenerator.system.next().stringValue,
            owner: owner,
            provider: "custom-token",
            at: clock.now().wall,
            from: "127.0.0.1"
        )
        _ = try await accounts.begin(session, provenBy: nil, maximum: .max)
        return try await issue(session, for: use)
    }
}
