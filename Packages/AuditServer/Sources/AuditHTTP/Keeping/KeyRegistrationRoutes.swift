import AuditAccounts
import AuditAdmission
import AuditModel
import AuditReview
import AuditSearch
import EventModel
import EventProofs
import HTTPTypes
import HummingbirdCore

/// What devices say of their own keys: which one is whose, signed by the device and then by the server.
struct KeyRegistrationRoutes: Sendable {
    /// The largest body, in bytes: a claim, with room for how JSON writes it.
    private static let maximumBytes = 16_384

    let desk: ReviewDesk
    let apps: ServedApps
    let quotas: QuotaBook
    let key: SigningKey
    /// The public keys that receipts are signed with, and were.
    let receiptKeys: [[UInt8]]
    let cursors: CursorSeal
    /// Lets one device at a time look and write, so that no key is written twice.
    private let turnstile = Turnstile()

    init(
        desk: ReviewDesk,
        apps: ServedApps,
        quotas: QuotaBook,
        key: SigningKey,
        receiptKeys: [[UInt8]],
        cursors: CursorSeal
    ) {
        self.desk = desk
        self.apps = apps
        self.quotas = quotas
        self.key = key
        self.receiptKeys = receiptKeys
        self.cursors = cursors
    }

    private struct Order: Decodable {
        let claim: String
    }

    private struct Answer: Encodable {
        let registration: String
    }

    func add(to api: API) {
        api.post("device-keys", .user, register)
        api.get("devices/registrations", .keepingReader, list)
    }

    // MARK: - Devices

    private func register(_ request: Request, _ context: AuditRequestContext, _ owner: EventOwner) async throws
        -> Response
    {
        _ = try apps.servedSettings(of: owner.app)
        try quotas.checkUpload(of: owner)
        let order = try await request.json(Order.self, upTo: Self.maximumBytes, form: #"{"claim": "…"}"#)
        quotas.didUpload(order.claim.utf8.count, beginsPartition: false, of: owner)
        let claim = try claim(order.claim, of: owner)
        try await catchUp()
        // Whoever asks again keeps nobody waiting who registers a key.
        if let known = try await registered(claim) { return try .json(Answer(registration: known)) }
        let text = try await turnstile.passUnlessCancelled {
            if let known = try await registered(claim) { return known }
            return try await write(claim)
        }
        return try .json(Answer(registration: text))
    }

    /// Reads a claim, and compares what it is about with whose token it came with.
    private func claim(_ text: String, of owner: EventOwner) throws(AuditServerError) -> DeviceKeyClaim {
        let claim: DeviceKeyClaim
        do {
            claim = try DeviceKeyClaim(Array(text.utf8))
        } catch .malformedRegistration(let reason) {
            throw .rejected(reason: "the claim is not to be believed: \(reason)")
        } catch {
            throw .rejected(reason: error.description)
        }
        guard receiptKeys.contains(claim.server) else {
            throw .rejected(
                reason: "the claim is made for another server; 'server' is the public key of 'GET /api/v1/key'"
            )
        }
        guard claim.owner == owner else {
            throw .rejected(
                reason:
                    "the claim is about another app or user than the token; a device claims its key for whom it is signed in as"
            )
        }
        return claim
    }

    /// Returns the registration of the key that a claim is about; nil when there is none.
    private func registered(_ claim: DeviceKeyClaim) async throws -> String? {
        guard let place = desk.read({ $0.registrations[KeyRegistration.name(claim)] }) else { return nil }
        guard let known = try await desk.registrations(at: [place])[place.address] else {
            throw AuditServerError.unavailable(
                reason:
                    "the registration of the key is not what was written any more; the checks of the server tell of it"
            )
        }
        return known.text
    }

    /// Countersigns a claim and writes it into the trail.
    private func write(_ claim: DeviceKeyClaim) async throws -> String {
        let name = KeyRegistration.name(claim)
        try checkRoom(for: name)
        guard claim.server == key.publicKey else {
            throw AuditServerError.rejected(
                reason:
                    "the claim names a key of receipts that another one follows; make one with that of 'GET /api/v1/key'"
            )
        }
        let registration = try key.registration(of: claim, at: desk.clock.now().wall)
        let entry = KeyRegistration(registration)
        // Where the device was is nobody's business, and the trail is never erased.
        let actor = TrailActor(name: name.user, address: "device", tokenID: nil, role: "uploader")
        try await desk.write(.registration(entry), about: "\(name.publicKey) of \(name.user) in \(name.app)", by: actor)
        return entry.text
    }

    private func checkRoom(for name: DeviceKeyName) throws(AuditServerError) {
        let (known, ofApp, isRevoked) = desk.read { book in
            (
                book.registrations.count(of: name.owner), book.registrations.count(ofApp: name.app),
                book.keyStatements[name]?.value.revokedSince != nil
            )
        }
        // What it seals is stored all the same, as of every key that is not registered.
        guard !isRevoked else {
            throw .rejected(reason: "an administrator revoked the key; it can be registered when it is believed again")
        }
        guard known < DeviceRegistration.maximumKeysPerUser else {
            throw .rejected(
                reason:
                    "\(known) keys of this user are registered, and no more are; what the device uploads is stored all the same"
            )
        }
        guard ofApp < KeyRegistration.maximumPerApp else {
            throw .rejected(reason: "\(ofApp) keys of this app are registered, and no more are kept")
        }
    }

    /// What was registered before, also through other servers, is known first.
    private func catchUp() async throws {
        let isCurrent = try await desk.catchUp(maximumEvents: IndexingBudget.request)
        guard isCurrent || desk.hasCaughtUp else {
            throw AuditServerError.unavailable(reason: "the server still reads which keys are registered")
        }
    }

    // MARK: - Auditors

    private func list(_ request: Request, _ context: AuditRequestContext, _: KeepingReader) async throws -> Response {
        let listing = Listing(request, context, "devices/registrations", cursors)
        let position = try listing.position("after", of: request)
        let limit = try request.number("limit", in: 1...500, default: 500)
        var last: (time: EventInstant, id: ObjectId)?
        if let position {
            guard let numbers = PositionBytes.numbers(position.bytes, count: 3) else {
                throw AuditServerError.foreignCursor("after")
            }
            let time = EventInstant(microseconds: Int64(bitPattern: numbers[0]))
            last = (time, ObjectId(high: numbers[1], low: UInt32(truncatingIfNeeded: numbers[2])))
        }
        try await catchUp()
        if position?.isOfThis != true {
            try await desk.trail.record("list key registrations", about: request.uri.query, by: context)
        }
        let page = desk.read { $0.registrations.page(behind: last, limit: limit) }
        let texts = try await desk.registrations(at: page.map(\.place))
        let lines = page.map { KeyRegistrationLine($0.value, texts[$0.place.address]?.text, at: $0.place) }
        var response = try Response.json(lines)
        if let end = page.last?.place, page.count == limit {
            let numbers = [UInt64(bitPattern: end.time.microseconds), end.id.high, UInt64(end.id.low)]
            response.headers[.nextCursor] = try listing.cursor(PositionBytes.of(numbers))
        }
        return response
    }
}

/// The registration of a device's key as it is answered.
public struct KeyRegistrationLine: Sendable, Hashable, Codable {
    /// The app.
    public let app: String
    /// The user.
    public let user: String
    /// The public key, 64 hexadecimal digits of Ed25519 or 66 of P-256.
    public let publicKey: String
    /// When it was registered, ISO 8601.
    public let registered: String
    /// The statement that device and server signed; nil when it is not what was written any more.
    public let registration: String?
    /// The event of the auditors' trail that holds it.
    public let event: EventPlaceLine

    init(_ name: DeviceKeyName, _ text: String?, at place: EntryPlace) {
        app = name.app
        user = name.user
        publicKey = name.publicKey
        registered = place.time.description
        registration = text
        event = EventPlaceLine(place.address)
    }
}
