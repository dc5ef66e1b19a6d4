import AuditAccounts
import AuditModel
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
