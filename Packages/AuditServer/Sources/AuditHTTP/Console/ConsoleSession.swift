import AuditAccounts
import AuditAdmission
import AuditModel
import AuditReview
import EventModel
import HTTPTypes
import HummingbirdCore

/// Signing in to the console: with the token of an auditor, a reviewer or an administrator a session begins, whose cookie no
/// script can read.
///
/// The cookie ends with the browser, and is worth nothing once its session has ended: by signing out, after
/// ``lifetimeSeconds``, or when the token is revoked. It is never sent by pages of others (`SameSite=Strict`), and what changes something must
/// come from a page of this server.
struct ConsoleSession: Sendable {
    /// The name of the cookie.
    static let cookie = "daybook-session"
    /// The app in the records of these sessions; no app of a device can have this id.
    static let app = "daybook/console"
    /// How long a session lasts at most, in seconds: 12 hours.
    static let lifetimeSeconds: Int64 = 43_200
    /// The largest body of a sign-in, in bytes.
    private static let maximumBytes = 8192

    static let notForUploaders = AuditServerError.forbidden(
        reason: "the console is for auditors, reviewers and administrators"
    )

    let check: TokenCheck
    let limits: RequestLimits
    let maximumSessions: Int
    let clock: any EventClock
    let ids: any ObjectIdSource
    let trail: AuditTrail
    /// Whether the server itself speaks TLS.
    let isSecure: Bool

    private struct Credentials: Decodable {
        let token: String
    }

    func add(to api: API) {
        api.post("console/session", .anyone, signIn)
        api.delete("console/session", .anyone, signOut)
        api.get("console/session", .consoleUser, show)
    }

    /// Who has signed in, which decides what pages offer.
    private struct SignedIn: Encodable {
        /// `auditor`, `reviewer` or `administrator`.
        let role: String
        /// Whom the token was issued to.
        let name: String
        /// The apps that the token is bounded to; nil for all.
        let apps: [String]?
        /// The id of the token, if an administrator issued it.
        let token: String?
        /// When the token's time is over, ISO 8601.
        let expires: String?
    }

    private func show(_: Request, _ context: AuditRequestContext, _ identity: Identity) async throws -> Response {
        try .json(
            SignedIn(
                role: identity.role,
                name: context.actor.name,
                apps: identity.apps?.sorted(),
                token: context.tokenID,
                expires: context.tokenExpires.map { "\($0)" }
            )
        )
    }

    /// Checks that a page of this server asks.
    ///
    /// Otherwise a page of somebody else could sign a browser in with a token of theirs, and what its user then does would be
    /// in the trail under their name.
    private static func checkPage(_ request: Request) throws(AuditServerError) {
        guard PageOrigin.isProvenOfOurPages(request) else {
            throw .forbidden(reason: "the browser does not say that it comes from a page of this server")
        }
    }

    private func signIn(_ request: Request, _ context: AuditRequestContext, _: Anyone) async throws -> Response {
        try limits.countSignIn(from: context.address)
        try Self.checkPage(request)
        let credentials = try await request.json(
            Credentials.self,
            upTo: Self.maximumBytes,
            form: #"{"token": "…"}"#
        )
        let (context, token) = try await check.context(context, signingInWith: credentials.token)
        guard let identity = context.identity, identity.usesConsole else { throw Self.notForUploaders }
        try await trail.record("sign in", about: nil, by: context)
        let now = clock.now().wall
        let left = (token.expires.microseconds - now.microseconds) / 1_000_000
        let session = UserSession(
            id: ids.next().stringValue,
            owner: EventOwner(app: Self.app, user: token.id ?? identity.role),
            provider: "console",
            at: now,
            lasting: min(Self.lifetimeSeconds, left),
            from: context.address
        )
        _ = try await check.accounts.begin(session, provenBy: nil, maximum: maximumSessions)
        // A token of ours has letters, digits, dots, hyphens and underscores alone.
        let value = try await check.tokens.issueCookie(session, of: token)
        return Response(status: .noContent, headers: [.setCookie: cookie(value, request, "")])
    }

    /// Ends the session and takes the cookie back, also one whose time is over.
    private func signOut(_ request: Request, _ context: AuditRequestContext, _: Anyone) async throws -> Response {
        try Self.checkPage(request)
        do {
            let context = try await check.context(context, of: BearerToken(of: request))
            if let session = context.session, session.owner.app == Self.app {
                try await trail.record("sign out", about: nil, by: context)
                _ = try await check.accounts.endSession(session.id, of: session.owner)
            }
        } catch AuditServerError.unauthorized {
            // Nobody was signed in any more.
        }
        return Response(status: .noContent, headers: [.setCookie: cookie("", request, "; Max-Age=0")])
    }

    private func cookie(_ value: String, _ request: Request, _ end: String) -> String {
        let isForwardedSecurely = HTTPField.Name("X-Forwarded-Proto").flatMap { request.headers[$0] } == "https"
        let secure = isSecure || isForwardedSecurely ? "; Secure" : ""
        return "\(Self.cookie)=\(value); Path=/api/v1; HttpOnly; SameSite=Strict\(secure)\(end)"
    }
}
