import AuditAccounts
import AuditModel
import AuditReview
import EventModel
import HTTPTypes
import HummingbirdCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What an administrator does about the tokens of auditors, reviewers and other administrators: issue, list, revoke.
///
/// Issuing and revoking are entered in the ``AuditTrail`` before they are done.
struct TokenRoutes: Sendable {
    /// How long a token is good for where the request does not say, in days.
    static let standardDays = 30
    /// The longest time that a token may be good for, in days.
    static let maximumDays = 365
    /// The most apps that an auditor or a reviewer may be bounded to by name.
    static let maximumApps = 100

    let accounts: any AccountStore
    let tokens: TokenIssuer
    let clock: any EventClock
    let ids: any ObjectIdSource
    let trail: AuditTrail

    private struct Order: Decodable {
        let role: String
        let name: String
        let apps: [String]?
        let days: Int?
    }

    private struct Issued: Encodable {
        let id: String
        let token: String
        let expires: String
    }

    func add(to api: API) {
        api.post("tokens", .administrator, issue)
        api.get("tokens", .administrator, list)
        api.delete("tokens/:token", .administrator, revoke)
    }

    private static let noToken = AuditServerError.missing(what: "there is no such token, or it is revoked")

    private func revoke(_: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        guard let id = context.pathPart("token"), IssuedToken.isID(id) else { throw Self.noToken }
        try await trail.record("revoke token", about: id, by: context)
        guard try await accounts.revokeToken(id, at: clock.now().wall) else { throw Self.noToken }
        return Response(status: .noContent)
    }

    private func issue(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        let form = #"{"role": "auditor", "name": "…", "apps": ["…"], "days": 30}"#
        let order = try await request.json(Order.self, upTo: SignInRoutes.maximumBytes, form: form)
        let days = order.days ?? Self.standardDays
        guard (1...Self.maximumDays).contains(days) else {
            throw AuditServerError.rejected(reason: "a token is good for 1 to \(Self.maximumDays) days")
        }
        guard (1...128).contains(order.name.utf8.count), !order.name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            throw AuditServerError.rejected(reason: "the name of a token has 1 to 128 bytes and no control characters")
        }
        let now = clock.now().wall
        let record = IssuedToken(
            id: ids.next().stringValue,
            identity: try identity(order),
            name: order.name,
            issued: now,
            expires: EventInstant(microseconds: now.microseconds + Int64(days) * 86_400_000_000)
        )
        let token = try await tokens.issue(record)
        try await trail.record("issue token", about: Self.summary(of: record), by: context)
        // Kept before it is handed out: a token that nobody knows of is not accepted.
        try await accounts.add(record)
        return try .json(Issued(id: record.id, token: token, expires: "\(record.expires)"))
    }

    /// Says what a token allows, to whom and until when.
    private static func summary(of token: IssuedToken) -> String {
        let apps = token.identity.apps?.sorted().joined(separator: ", ") ?? "all apps"
        return "\(token.id) \(token.identity.role) of \(apps) until \(token.expires) for \(token.name)"
    }

    private func identity(_ order: Order) throws(AuditServerError) -> Identity {
        if let apps = order.apps {
            guard (1...Self.maximumApps).contains(apps.count), apps.allSatisfy(ServedApps.isAppID) else {
                throw .rejected(reason: "an auditor is bounded to 1 to \(Self.maximumApps) app ids, or to none")
            }
        }
        guard let identity = Identity(role: order.role, apps: order.apps.map { Set($0) }) else {
            throw .rejected(
                reason: "the role is 'auditor' or 'reviewer', with 'apps' or without, or 'administrator'"
            )
        }
        return identity
    }

    private func list(_ request: Request, _: AuditRequestContext, _: Administrator) async throws -> Response {
        let limit = try request.number("limit", in: 1...1000, default: 1000)
        let after = request.query("after")
        guard after.map(IssuedToken.isID) ?? true else {
            throw AuditServerError.rejected(reason: "'after' is not a cursor of this server")
        }
        let found = try await accounts.tokens(after: after, limit: limit)
        var response = try Response.json(found.map(IssuedTokenLine.init))
        if let last = found.last, found.count == limit { response.headers[.nextCursor] = last.id }
        return response
    }
}

/// A token in a list: what `daybook token list --json` writes.
public struct IssuedTokenLine: Sendable, Hashable, Codable {
    /// The id.
    public let id: String
    /// `auditor`, `reviewer` or `administrator`.
    public let role: String
    /// The apps that an auditor or a reviewer is bounded to, sorted; nil for all.
    public let apps: [String]?
    /// Whom or what it is for.
    public let name: String
    /// When it was issued, ISO 8601.
    public let issued: String
    /// When its time is over, ISO 8601.
    public let expires: String
    /// When it was revoked, ISO 8601.
    public let revoked: String?

    init(_ token: IssuedToken) {
        id = token.id
        role = token.identity.role
        apps = token.identity.apps?.sorted()
        name = token.name
        issued = "\(token.issued)"
        expires = "\(token.expires)"
        revoked = token.revoked.map { "\($0)" }
    }
}
