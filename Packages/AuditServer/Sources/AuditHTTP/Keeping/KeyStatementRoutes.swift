import AuditAccounts
import AuditModel
import AuditReview
import EventModel
import EventProofs
import HummingbirdCore

/// What administrators say of the keys of devices: which one is not to be believed, since when and why.
struct KeyStatementRoutes: Sendable {
    /// The largest body, in bytes.
    private static let maximumBytes = 8192
    /// The longest reason, in bytes.
    private static let maximumReason = 1024

    let desk: ReviewDesk
    let accounts: any AccountStore
    let apps: ServedApps

    private struct Order: Decodable {
        let app: String
        let user: String
        let publicKey: String
        let isRevoked: Bool
        let since: String?
        let reason: String
    }

    func add(to api: API) {
        api.get("devices/statements", .keepingReader, list)
        api.post("devices/statements", .administrator, state)
    }

    private func list(_: Request, _ context: AuditRequestContext, _: KeepingReader) async throws -> Response {
        try await catchUp()
        try await desk.trail.record("list key statements", about: nil, by: context)
        return try .json(desk.read(\.revocations).map { KeyStatementLine($0.value, at: $0.place) })
    }

    private func state(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        let form =
            #"{"app": "…", "user": "…", "publicKey": "<hex>", "isRevoked": true, "since": "2026-01-31T08:00:00Z", "reason": "…"}"#
        let order = try await request.json(Order.self, upTo: Self.maximumBytes, form: form)
        let reason = try WrittenText.lines(order.reason, "'reason'", upTo: Self.maximumReason)
        _ = try apps.servedSettings(of: order.app)
        let user = try WrittenText.line(order.user, "'user'", upTo: 1024)
        guard let key = Hexadecimal.bytes(order.publicKey), DeviceKeyAlgorithm(publicKey: key) != nil else {
            let reason = "'publicKey' is the public key of a device, 64 hexadecimal digits, or 66 of P-256"
            throw AuditServerError.rejected(reason: reason)
        }
        let name = DeviceKeyName(owner: EventOwner(app: order.app, user: user), publicKey: key)
        let since = try since(order)
        try await catchUp()
        // One after the other here is enough: the bound is against what fills memory, and not exact.
        guard desk.read({ $0.keyStatements[name] != nil || $0.keyStatements.count < KeyStatement.maximumCount }) else {
            let reason = "there are statements about \(KeyStatement.maximumCount) keys, and no more are kept"
            throw AuditServerError.rejected(reason: reason)
        }
        let author = try await accounts.author(of: context)
        let statement = KeyStatement(name: name, revokedSince: since, reason: reason, author: author)
        let subject = "\(name.publicKey) of \(name.user) in \(name.app)"
        let place = try await desk.write(.keyStatement(statement), about: subject, because: reason, by: context.actor)
        return try .json(KeyStatementLine(statement, at: place))
    }

    /// From when on the key is not believed: now, or what has passed.
    private func since(_ order: Order) throws(AuditServerError) -> EventInstant? {
        guard order.isRevoked else {
            guard order.since == nil else {
                throw .rejected(reason: "a key is believed again as a whole, without 'since'")
            }
            return nil
        }
        let now = desk.clock.now().wall
        guard let text = order.since else { return now }
        guard let since = EventInstant(text), since <= now else {
            throw .rejected(reason: "'since' is a time that has passed, such as 2026-01-31T08:00:00Z")
        }
        return since
    }

    /// What was said before, also through other servers, is known first.
    private func catchUp() async throws {
        _ = try await desk.catchUp(maximumEvents: IndexingBudget.request)
    }
}

/// A statement about the key of a device as it is answered.
public struct KeyStatementLine: Sendable, Hashable, Codable {
    /// The app.
    public let app: String
    /// The user.
    public let user: String
    /// The public key, 64 hexadecimal digits of Ed25519 or 66 of P-256.
    public let publicKey: String
    /// The time of receipt from which its seals are not believed, ISO 8601; nil when the key is believed again.
    public let revokedSince: String?
    /// Why.
    public let reason: String
    /// Who says so.
    public let author: String
    /// When it was said, ISO 8601.
    public let written: String
    /// The event of the auditors' trail that holds it.
    public let event: EventPlaceLine

    init(_ statement: KeyStatement, at place: EntryPlace) {
        app = statement.name.app
        user = statement.name.user
        publicKey = statement.name.publicKey
        revokedSince = statement.revokedSince?.description
        reason = statement.reason
        author = statement.author.name
        written = place.time.description
        event = EventPlaceLine(place.address)
    }
}
