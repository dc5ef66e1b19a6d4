import AuditAccounts
import AuditAdmission
import AuditModel
import EventModel
import HTTPTypes
import Hummingbird

/// The token that a request brings.
struct BearerToken: Sendable {
    /// The token.
    let text: String
    /// What it has to be for: a cookie is none that a program may send as a bearer, nor the other way round.
    let use: TokenIssuer.Use
}

extension BearerToken {
    /// Takes the token out of a request; the console has it in a cookie.
    ///
    /// The cookie counts for requests of our own pages alone. One that changes something has to prove that it comes from there.
    ///
    /// - Throws: `AuditServerError.unauthorized(reason:)` when there is none.
    init(of request: Request) throws(AuditServerError) {
        if request.headers[.authorization] == nil,
            request.method == .get ? PageOrigin.isOfOurPages(request) : PageOrigin.isProvenOfOurPages(request),
            let token = request.cookies[ConsoleSession.cookie]?.value
        {
            (text, use) = (token, .console)
            return
        }
        guard let header = request.headers[.authorization] else { throw .unauthorized(reason: "there is none") }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .unauthorized(reason: "the header is not of the form 'Bearer <token>'")
        }
        (text, use) = (String(parts[1]), .access)
    }
}

/// Checks the access token of every request that passes, and how many its bearer makes.
struct AccessMiddleware: RouterMiddleware {
    let check: TokenCheck
    let limits: RequestLimits

    @concurrent
    func handle(
        _ request: Request,
        context: AuditRequestContext,
        next: @concurrent (Request, AuditRequestContext) async throws -> Response
    ) async throws -> Response {
        let context = try await check.context(context, of: BearerToken(of: request))
        if let identity = context.identity { try limits.countRequest(of: identity.bearer(from: context.address)) }
        return try await next(request, context)
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
