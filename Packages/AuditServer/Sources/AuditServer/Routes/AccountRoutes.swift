import EventModel
import Hummingbird

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sign-in and the renewal of tokens.
struct AccountRoutes: Sendable {
    /// The largest body of a request to sign in, in bytes.
    private static let maximumBytes = 16_384

    let configuration: ServerConfiguration
    let tokens: TokenIssuer
    let ids: any ObjectIdSource

    private struct Credentials: Decodable {
        let provider: String
        let key: String?
    }

    private struct Session: Encodable {
        let userID: String
        let accessToken: String
        let refreshToken: String
        let expiresInSeconds: Int
    }

    func add(to api: RouterGroup<AuditRequestContext>) {
        api.post("apps/:app/login") { request, context in try await logIn(request, context) }
        api.post("token/refresh") { request, _ in try await refresh(request) }
    }

    private func logIn(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        let app = try acceptedApp(context.parameters.get("app"))
        let body = try await request.body.collect(upTo: Self.maximumBytes)
        let credentials: Credentials
        do {
            credentials = try JSONDecoder().decode(Credentials.self, from: Data(body.readableBytesView))
        } catch {
            throw AuditServerError.rejected(reason: #"the body is not JSON of the form {"provider": "anon-user"}"#)
        }
        return try await answer(EventOwner(app: app, user: user(of: credentials, in: app)))
    }

    private func refresh(_ request: Request) async throws -> Response {
        guard case .uploader(let owner) = try await tokens.identity(of: BearerToken.of(request), for: .refresh) else {
            throw AuditServerError.forbidden(reason: "an auditor's token is not renewed but issued again")
        }
        // An app that was taken off the configuration gets no new tokens.
        _ = try acceptedApp(owner.app)
        return try await answer(owner)
    }

    private func user(of credentials: Credentials, in app: String) throws(AuditServerError) -> String {
        switch credentials.provider {
        case "anon-user":
            guard configuration.allowsAnonymousUsers else {
                throw .forbidden(reason: "anonymous users are turned off; sign in with 'api-key'")
            }
            return ids.next().stringValue
        case "api-key":
            guard let secret = credentials.key else { throw .rejected(reason: "'api-key' needs a 'key'") }
            guard let key = configuration.apiKeys.first(where: { $0.app == app && $0.isMade(from: secret) }) else {
                throw .unauthorized(reason: "the API key is not one of this app")
            }
            return key.user
        default:
            throw .rejected(reason: "the provider is not supported; this server has 'anon-user' and 'api-key'")
        }
    }

    private func acceptedApp(_ app: String?) throws(AuditServerError) -> String {
        guard let app, (1...64).contains(app.utf8.count), app.utf8.allSatisfy(Self.isAllowed) else {
            throw .rejected(reason: "an app id has 1 to 64 letters, digits, hyphens, underscores and dots")
        }
        guard configuration.isDevelopmentMode || configuration.apps.contains(app) else {
            throw .forbidden(reason: "the server is not set up for this app")
        }
        return app
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
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
