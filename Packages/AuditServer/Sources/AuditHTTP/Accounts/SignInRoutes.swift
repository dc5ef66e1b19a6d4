import AuditAccounts
import AuditAdmission
import AuditModel
import EventModel
import HTTPTypes
import HummingbirdCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sign-in, registration, the renewal of tokens, and the end of a session.
struct SignInRoutes: Sendable {
    /// The largest body of a request, in bytes.
    static let maximumBytes = 16_384

    let signIn: SignIn
    let check: TokenCheck
    let limits: RequestLimits
    let sessions: SessionDesk

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

    func add(to api: API) {
        api.post("apps/:app/login", .anyone, logIn)
        api.post("apps/:app/register", .anyone, register)
        api.post("token/refresh", .anyone, refresh)
        api.delete("users/me/session", .anyone, signOut)
        api.delete("users/me", .user, remove)
    }

    private func logIn(_ request: Request, _ context: AuditRequestContext, _: Anyone) async throws -> Response {
        try limits.countSignIn(from: context.address)
        let app = try context.app()
        let credentials = try await request.json(
            SignIn.Credentials.self,
            upTo: Self.maximumBytes,
            form: #"{"provider": "anon-user"}"#
        )
        let proven = try await signIn.user(of: credentials, app: app, from: context.address)
        let session = try await sessions.begin(proven, from: context.address)
        if let former = credentials.replaces { try await end(former, replacedBy: session) }
        return try await answer(session)
    }

    private func register(_ request: Request, _ context: AuditRequestContext, _: Anyone) async throws -> Response {
        try limits.countSignIn(from: context.address)
        let app = try context.app()
        let form = #"{"email": "…", "password": "…"}"#
        let new = try await request.json(Registration.self, upTo: Self.maximumBytes, form: form)
        let user = try await signIn.register(new.email, password: new.password, app: app, from: context.address)
        return try .json(["userID": user.user])
    }

    private func refresh(_ request: Request, _ context: AuditRequestContext, _: Anyone) async throws -> Response {
        let token = try await refreshToken(request, context)
        guard case .uploader(let owner) = token.identity, let stamp = token.session else {
            throw AuditServerError.forbidden(reason: "this token is not renewed but issued again")
        }
        // Counted by its session, so that nobody at the same address uses up what others renew with.
        try limits.countRenewal(of: stamp.session)
        // An app that was taken off the configuration gets no new tokens, nor does a user who was removed.
        _ = try signIn.settings(of: owner.app)
        guard try await !signIn.accounts.isRemoved(owner) else {
            throw AuditServerError.forbidden(reason: "the user was removed")
        }
        return try await answer(sessions.renew(stamp, of: owner, from: context.address))
    }

    /// Ends the session of the token, a refresh token or an access token, also one that has ended already.
    private func signOut(_ request: Request, _ context: AuditRequestContext, _: Anyone) async throws -> Response {
        let bearer = try BearerToken(of: request)
        let token: CheckedToken
        do {
            token = try await check.tokens.check(bearer.text, for: .refresh)
        } catch AuditServerError.unauthorized {
            do {
                token = try await check.tokens.check(bearer.text, for: .access)
            } catch {
                try limits.countSignIn(from: context.address)
                throw error
            }
        }
        guard case .uploader(let owner) = token.identity, let stamp = token.session else {
            throw AuditServerError.forbidden(reason: "this token is revoked by an administrator")
        }
        try limits.countRenewal(of: stamp.session)
        try await sessions.end(stamp.session, of: owner, because: .signedOut)
        return Response(status: .noContent)
    }

    /// Ends the session that a device had before; whatever is no refresh token of the same user means nothing here.
    private func end(_ former: String, replacedBy session: UserSession) async throws {
        do {
            let token = try await check.tokens.check(former, for: .refresh)
            guard token.identity == .uploader(session.owner), let stamp = token.session else { return }
            try await sessions.end(stamp.session, of: session.owner, because: .signedOut)
        } catch AuditServerError.unauthorized {
            return
        }
    }

    /// Checks a refresh token; one that is none counts as a sign-in from the address.
    private func refreshToken(_ request: Request, _ context: AuditRequestContext) async throws -> CheckedToken {
        do {
            return try await check.tokens.check(BearerToken(of: request).text, for: .refresh)
        } catch {
            try limits.countSignIn(from: context.address)
            throw error
        }
    }

    private func remove(_: Request, _ context: AuditRequestContext, _ owner: EventOwner) async throws -> Response {
        guard context.session?.provider != SignIn.apiKeyProvider else {
            throw AuditServerError.forbidden(
                reason: "everybody with the API key is this user; sign out, or have an administrator remove the user"
            )
        }
        try await sessions.remove(owner)
        return Response(status: .noContent)
    }

    private func answer(_ session: UserSession) async throws -> Response {
        try .json(
            Session(
                userID: session.owner.user,
                accessToken: await check.tokens.issue(session, for: .access),
                refreshToken: await check.tokens.issue(session, for: .refresh),
                expiresInSeconds: TokenIssuer.accessSeconds
            )
        )
    }
}
