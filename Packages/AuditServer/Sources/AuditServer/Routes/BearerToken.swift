import EventModel
import HTTPTypes
import Hummingbird

/// Takes the bearer token out of a request.
enum BearerToken {
    /// Returns the token, which the console has in a cookie.
    ///
    /// The cookie counts for requests of our own pages alone. One that changes something has to prove that it comes from there.
    ///
    /// - Throws: ``AuditServerError/unauthorized(reason:)`` when there is none.
    static func of(_ request: Request) throws(AuditServerError) -> String {
        if request.headers[.authorization] == nil,
            request.method == .get ? ConsoleSession.isOfOurPages(request) : ConsoleSession.isProvenOfOurPages(request),
            let token = request.cookies[ConsoleSession.cookie]?.value
        {
            return token
        }
        guard let header = request.headers[.authorization] else { throw .unauthorized(reason: "there is none") }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .unauthorized(reason: "the header is not of the form 'Bearer <token>'")
        }
        return String(parts[1])
    }
}

/// Checks the access token of every request that passes, and how many its bearer makes.
struct AccessMiddleware: RouterMiddleware {
    let tokens: TokenIssuer
    let accounts: any AccountStore
    let limits: RequestLimits

    @concurrent
    func handle(
        _ request: Request,
        context: AuditRequestContext,
        next: @concurrent (Request, AuditRequestContext) async throws -> Response
    ) async throws -> Response {
        let context = try await context.signedIn(with: BearerToken.of(request), tokens, accounts)
        if let identity = context.identity { try limits.countRequest(of: identity.bearer(from: context.address)) }
        return try await next(request, context)
    }
}

extension AuditRequestContext {
    /// Returns the context of somebody who has a token.
    ///
    /// - Throws: ``AuditServerError/unauthorized(reason:)`` when it is none of this server, or was revoked.
    func signedIn(
        with token: String,
        _ tokens: TokenIssuer,
        _ accounts: any AccountStore
    ) async throws -> AuditRequestContext {
        let token = try await tokens.check(token, for: .access)
        var context = self
        if let id = token.id { context.tokenName = try await accounts.unrevokedToken(id).name }
        context.identity = token.identity
        context.tokenID = token.id
        context.tokenExpires = token.expires
        return context
    }
}

extension AccountStore {
    /// Returns an issued token that was not revoked.
    ///
    /// - Throws: ``AuditServerError/unauthorized(reason:)`` when it was.
    func unrevokedToken(_ id: String) async throws -> IssuedToken {
        guard let issued = try await token(id), issued.revoked == nil else {
            throw AuditServerError.unauthorized(reason: "it was revoked")
        }
        return issued
    }
}

extension Identity {
    /// Who is counted: a user wherever the request comes from, else the address.
    fileprivate func bearer(from address: String) -> String {
        switch self {
        case .uploader(let owner): "user \(owner.app)/\(owner.user)"
        case .auditor, .reviewer: "auditor \(address)"
        case .administrator: "administrator \(address)"
        }
    }
}
