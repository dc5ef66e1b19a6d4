import EventModel
import Hummingbird

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sign-in, registration and the renewal of tokens.
struct AccountRoutes: Sendable {
    /// The largest body of a request, in bytes.
    static let maximumBytes = 16_384

    let signIn: SignIn
    let tokens: TokenIssuer
    let limits: RequestLimits

    private struct Registration: Decodable {
        let email: String
        let password: String
    }

    private struct Session: Encodable {
        let userID: String
        let accessToken: String
        let refreshToken: String
        let expiresInSeconds: Int
    }

    func add(to api: RouterGroup<AuditRequestContext>) {
        api.post("apps/:app/login") { request, context in try await logIn(request, context) }
        api.post("apps/:app/register") { request, context in try await register(request, context) }
        api.post("token/refresh") { request, context in try await refresh(request, context) }
    }

    /// What only a signed-in user may do.
    func addAuthenticated(to api: RouterGroup<AuditRequestContext>) {
        api.delete("users/me") { _, context in
            try await signIn.accounts.remove(context.uploader())
            return Response(status: .noContent)
        }
    }

    private func logIn(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        try limits.countSignIn(from: context.address)
        let app = try context.app()
        let credentials = try await request.json(
            SignIn.Credentials.self,
            upTo: Self.maximumBytes,
            form: #"{"provider": "anon-user"}"#
        )
        return try await answer(signIn.user(of: credentials, app: app, from: context.address))
    }

    private func register(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        try limits.countSignIn(from: context.address)
        let app = try context.app()
        let form = #"{"email": "…", "password": "…"}"#
        let new = try await request.json(Registration.self, upTo: Self.maximumBytes, form: form)
        let user = try await signIn.register(new.email, password: new.password, app: app)
        return try .json(["userID": user.user])
    }

    private func refresh(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        try limits.countSignIn(from: context.address)
        guard case .uploader(let owner) = try await tokens.identity(of: BearerToken.of(request), for: .refresh) else {
            throw AuditServerError.forbidden(reason: "this token is not renewed but issued again")
        }
        // An app that was taken off the configuration gets no new tokens, nor does a user who was removed.
        _ = try signIn.settings(of: owner.app)
        guard try await !signIn.accounts.isRemoved(owner) else {
            throw AuditServerError.forbidden(reason: "the user was removed")
        }
        return try await answer(owner)
    }

    private func answer(_ owner: EventOwner) async throws -> Response {
        try .json(
            Session(
                userID: owner.user,
                accessToken: await tokens.issue(.uploader(owner), for: .access),
                refreshToken: await tokens.issue(.uploader(owner), for: .refresh),
                expiresInSeconds: TokenIssuer.accessSeconds
            )
        )
    }
}
