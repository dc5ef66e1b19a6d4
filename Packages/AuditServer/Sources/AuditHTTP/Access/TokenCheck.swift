import AuditAccounts
import AuditModel
import EventModel

/// Finds out who makes a request by the token that it brings.
struct TokenCheck: Sendable {
    let tokens: TokenIssuer
    let accounts: any AccountStore
    let sessions: SessionChecks
    let signIn: SignIn

    /// Returns the context of somebody who has a token.
    ///
    /// - Throws: `AuditServerError.unauthorized(reason:)` when it is none of this server, was revoked, or its session has
    ///   ended.
    func context(_ context: AuditRequestContext, of bearer: BearerToken) async throws -> AuditRequestContext {
        let token = try await tokens.check(bearer.text, for: bearer.use)
        var context = context
        context.session = try await session(of: token, bearer.use)
        if let id = token.id { context.tokenName = try await accounts.unrevokedToken(id).name }
        context.identity = token.identity
        context.tokenID = token.id
        context.tokenExpires = token.expires
        return context
    }

    /// Returns the context of somebody who signs in to the console.
    ///
    /// - Throws: As ``context(_:of:)`` does.
    func context(_ context: AuditRequestContext, signingInWith text: String) async throws
        -> (AuditRequestContext, CheckedToken)
    {
        let token = try await tokens.check(text, for: .access)
        let bearer = BearerToken(text: text, use: .access)
        return (try await self.context(context, of: bearer), token)
    }

    private func session(of token: CheckedToken, _ use: TokenIssuer.Use) async throws -> UserSession? {
        switch (token.identity, use) {
        case (.uploader(let owner), _):
            guard let stamp = token.session, let session = try await sessions.session(of: stamp), session.owner == owner
            else { throw AuditServerError.endedSession }
            try signIn.checkKey(of: session)
            return session
        case (_, .console):
            // Looked up each time: a cookie that was copied must be worth nothing once somebody has signed out.
            guard let stamp = token.session, let session = try await accounts.session(stamp.session) else {
                throw AuditServerError.endedSession
            }
            return session
        default:
            return nil
        }
    }
}

extension AccountStore {
    /// Returns an issued token that was not revoked.
    ///
    /// - Throws: `AuditServerError.unauthorized(reason:)` when it was.
    func unrevokedToken(_ id: String) async throws -> IssuedToken {
        guard let issued = try await token(id), issued.revoked == nil else {
            throw AuditServerError.unauthorized(reason: "it was revoked")
        }
        return issued
    }
}
