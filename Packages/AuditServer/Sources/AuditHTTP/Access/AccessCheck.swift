import AuditAccounts
import AuditAdmission
import AuditModel
import EventModel
import HummingbirdCore

/// Lets a request through to its route by its token, how many requests its bearer makes, and the route's permission.
struct AccessCheck: Sendable {
    let tokens: TokenCheck
    let limits: RequestLimits
    let served: ServedApps

    /// Finds out who makes a request, and whether they may use a route.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: What is known of it.
    ///   - permission: The route's.
    /// - Returns: The context with who makes the request, and what the route's handler learns of them.
    /// - Throws: `AuditServerError` with `unauthorized` when the token is none that counts now, `tooManyRequests`, and
    ///   `forbidden` for whoever may not use the route.
    func admit<Asker>(
        _ request: Request,
        _ context: AuditRequestContext,
        by permission: Permission<Asker>
    ) async throws -> (AuditRequestContext, Asker) {
        switch permission.rule {
        case .open(let asker): return (context, asker)
        case .token(let asker):
            let context = try await tokens.context(context, of: BearerToken(of: request))
            guard let identity = context.identity else { throw AuditServerError.unauthorized(reason: "there is none") }
            try limits.countRequest(of: identity.bearer(from: context.address))
            return (context, try asker(identity, served))
        }
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
