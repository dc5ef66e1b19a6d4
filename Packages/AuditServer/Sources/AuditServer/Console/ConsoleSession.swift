import EventModel
import HTTPTypes
import Hummingbird

/// Signing in to the console: the token of an auditor, a reviewer or an administrator becomes a cookie that no script can read.
///
/// The cookie ends with the browser. It is never sent by pages of others (`SameSite=Strict`), and what changes something must
/// come from a page of this server.
struct ConsoleSession: Sendable {
    /// The name of the cookie.
    static let cookie = "daybook-session"
    /// The largest body of a sign-in, in bytes.
    private static let maximumBytes = 8192

    private static let notForUploaders = AuditServerError.forbidden(
        reason: "the console is for auditors, reviewers and administrators"
    )

    let tokens: TokenIssuer
    let accounts: any AccountStore
    let limits: RequestLimits
    let trail: AuditTrail
    /// Whether the server itself speaks TLS.
    let isSecure: Bool

    private struct Credentials: Decodable {
        let token: String
    }

    func add(to api: RouterGroup<AuditRequestContext>) {
        api.post("console/session") { request, context in try await signIn(request, context) }
        api.delete("console/session") { request, context in try await signOut(request, context) }
    }

    /// What only somebody who has signed in may ask.
    func addAuthenticated(to api: RouterGroup<AuditRequestContext>) {
        api.get("console/session") { _, context in
            guard let identity = context.identity, identity.usesConsole else { throw Self.notForUploaders }
            return try Response.json(
                SignedIn(
                    role: identity.role,
                    name: context.actor.name,
                    apps: identity.apps?.sorted(),
                    token: context.tokenID,
                    expires: context.tokenExpires.map { "\($0)" }
                )
            )
        }
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

    /// Returns whether a request comes from a page of this server, as far as the browser says.
    static func isOfOurPages(_ request: Request) -> Bool {
        guard let name = HTTPField.Name("Sec-Fetch-Site"), let site = request.headers[name] else { return true }
        return site == "same-origin" || site == "none"
    }

    /// Returns whether the browser says that a request comes from a page of this server; without its word it does not.
    ///
    /// Where it says nothing of the site, because the page came without TLS, it names the origin.
    static func isProvenOfOurPages(_ request: Request) -> Bool {
        if let name = HTTPField.Name("Sec-Fetch-Site"), let site = request.headers[name] {
            return site == "same-origin"
        }
        guard let host = request.head.authority, let origin = request.headers[.origin] else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }

    private static func checkPage(_ request: Request) throws(AuditServerError) {
        guard isOfOurPages(request) else { throw .forbidden(reason: "it comes from a page of another server") }
    }

    private func signIn(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        try limits.countSignIn(from: context.address)
        try Self.checkPage(request)
        let credentials = try await request.json(
            Credentials.self,
            upTo: Self.maximumBytes,
            form: #"{"token": "…"}"#
        )
        let context = try await context.signedIn(with: credentials.token, tokens, accounts)
        guard context.identity?.usesConsole == true else { throw Self.notForUploaders }
        try await trail.record("sign in", about: nil, by: context)
        // A token that was accepted has letters, digits, dots, hyphens and underscores alone.
        return Response(status: .noContent, headers: [.setCookie: cookie(credentials.token, request, "")])
    }

    /// Takes the cookie back, also one whose time is over.
    private func signOut(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        try Self.checkPage(request)
        do {
            let context = try await context.signedIn(with: BearerToken.of(request), tokens, accounts)
            try await trail.record("sign out", about: nil, by: context)
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
