public import AuditModel
public import EventModel
import JWTKit

/// Issues and checks the tokens of the server: JSON Web Tokens, signed with HMAC-SHA-256.
public struct TokenIssuer: Sendable {
    /// What a token may be used for.
    public enum Use: String, Sendable, Codable {
        /// To make requests.
        case access
        /// To get a new access token.
        case refresh
        /// To make requests from a page of the console, as a cookie.
        case console
    }

    /// How long an access token is accepted, in seconds: 30 minutes.
    public static let accessSeconds = 1_800
    /// How long the token of an auditor, a reviewer or an administrator is accepted, in seconds: 365 days.
    public static let auditorSeconds = 31_536_000
    /// How many bytes a key has.
    public static let keyByteCount = TokenKey.byteCount

    private struct Claims: JWTPayload {
        let iss: String
        let sub: String
        let app: String?
        let apps: [String]?
        let jti: String?
        /// The session that the token came of.
        let sid: String?
        /// The number of the token among those of its session.
        let gen: Int64?
        let role: String
        let use: Use
        let iat: Int64
        let exp: Int64

        func verify(using algorithm: some JWTAlgorithm) async throws {
            // The signature is all that the algorithm answers for; times are compared with the server's own clock.
        }
    }

    private let ring: TokenKeyRing
    private let clock: any EventClock

    /// Creates an issuer with keys of its own.
    ///
    /// - Parameters:
    ///   - key: The secret that signs, 32 bytes.
    ///   - earlier: Secrets that signed before; tokens of theirs are accepted until their time is over.
    ///   - clock: The clock that tokens expire by.
    /// - Throws: `AuditServerError.rejected(reason:)` when a key has another length.
    public init(key: [UInt8], earlier: [[UInt8]] = [], clock: any EventClock) async throws(AuditServerError) {
        ring = TokenKeyRing(try await TokenKeys([key] + earlier), source: nil, clock: clock)
        self.clock = clock
    }

    /// Creates an issuer that shares its keys with other servers: each accepts the tokens of all.
    ///
    /// - Parameters:
    ///   - source: Where the keys are; looked at again every minute.
    ///   - clock: The clock that tokens expire by.
    /// - Throws: What the source throws, and `AuditServerError.rejected(reason:)` when a key has another length.
    public init(sharing source: any TokenKeySource, clock: any EventClock) async throws {
        ring = TokenKeyRing(try await TokenKeys(source.tokenKeys()), source: source, clock: clock)
        self.clock = clock
    }

    /// Makes a key from the system's randomness.
    public static func makeKey() -> [UInt8] { TokenKey.make() }

    /// Issues a token that belongs to no session: one of the data folder.
    ///
    /// - Throws: Whatever the signing throws.
    public func issue(_ identity: Identity, for use: Use) async throws -> String {
        let now = clock.now().wall.microseconds / 1_000_000
        return try await sign(identity, use, issued: now, expires: now + Int64(Self.auditorSeconds))
    }

    /// Issues a token of the newest generation of a user's session.
    ///
    /// - Throws: Whatever the signing throws.
    public func issue(_ session: UserSession, for use: Use) async throws -> String {
        let now = clock.now().wall.microseconds / 1_000_000
        let end = session.expires.microseconds / 1_000_000
        return try await sign(
            .uploader(session.owner),
            use,
            session: session.stamp,
            issued: now,
            expires: use == .access ? min(end, now + Int64(Self.accessSeconds)) : end
        )
    }

    /// Issues the cookie of a session of the console.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - token: The token that was signed in with.
    /// - Returns: The value of the cookie.
    /// - Throws: Whatever the signing throws.
    package func issueCookie(_ session: UserSession, of token: CheckedToken) async throws -> String {
        try await sign(
            token.identity,
            .console,
            id: token.id,
            session: session.stamp,
            issued: clock.now().wall.microseconds / 1_000_000,
            expires: session.expires.microseconds / 1_000_000
        )
    }

    /// Issues the access token of a record, whose id is in it.
    ///
    /// - Throws: Whatever the signing throws.
    package func issue(_ token: IssuedToken) async throws -> String {
        try await sign(
            token.identity,
            .access,
            id: token.id,
            issued: token.issued.microseconds / 1_000_000,
            expires: token.expires.microseconds / 1_000_000
        )
    }

    /// Checks a token and returns who it names.
    ///
    /// - Throws: `AuditServerError.unauthorized(reason:)` when the signature is wrong, the token is for another use,
    ///   or its time is over.
    public func identity(of token: String, for use: Use) async throws(AuditServerError) -> Identity {
        try await check(token, for: use).identity
    }

    /// Checks a token and returns what it says.
    ///
    /// An issued one has an id, and may be revoked.
    package func check(_ token: String, for use: Use) async throws(AuditServerError) -> CheckedToken {
        let claims: Claims
        do {
            claims = try await ring.keys().collection.verify(token, as: Claims.self)
        } catch let error as AuditServerError {
            throw error
        } catch {
            throw .unauthorized(reason: "it is damaged or was not issued by this server")
        }
        guard claims.use == use else { throw .unauthorized(reason: "it is not for \(use.rawValue)") }
        guard claims.exp > clock.now().wall.microseconds / 1_000_000 else {
            throw .unauthorized(reason: "its time is over")
        }
        let expires = EventInstant(microseconds: claims.exp * 1_000_000)
        let session = claims.sid.map { SessionStamp(session: $0, generation: claims.gen ?? 0) }
        switch (claims.role, claims.app) {
        case ("uploader", .some(let app)):
            let owner = EventOwner(app: app, user: claims.sub)
            return CheckedToken(identity: .uploader(owner), id: nil, session: session, expires: expires)
        case (let role, nil):
            guard let identity = Identity(role: role, apps: claims.apps.map { Set($0) }) else { fallthrough }
            return CheckedToken(identity: identity, id: claims.jti, session: session, expires: expires)
        default: throw .unauthorized(reason: "its role is unknown")
        }
    }

    private func sign(
        _ identity: Identity,
        _ use: Use,
        id: String? = nil,
        session: SessionStamp? = nil,
        issued: Int64,
        expires: Int64
    ) async throws -> String {
        var owner: EventOwner?
        if case .uploader(let user) = identity { owner = user }
        let keys = try await ring.keys()
        return try await keys.collection.sign(
            Claims(
                iss: "daybook",
                sub: owner?.user ?? identity.role,
                app: owner?.app,
                apps: identity.apps?.sorted(),
                jti: id,
                sid: session?.session,
                gen: session?.generation,
                role: identity.role,
                use: use,
                iat: issued,
                exp: expires
            ),
            kid: keys.current
        )
    }
}
