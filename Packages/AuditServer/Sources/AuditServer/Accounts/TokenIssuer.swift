public import EventModel
import JWTKit

import struct Crypto.SHA256
import struct Crypto.SymmetricKey

/// Issues and checks the tokens of the server: JSON Web Tokens, signed with HMAC-SHA-256 and a key of its own.
public struct TokenIssuer: Sendable {
    /// What a token may be used for.
    public enum Use: String, Sendable, Codable {
        /// To make requests.
        case access
        /// To get a new access token.
        case refresh
    }

    /// How long an access token is accepted, in seconds: 30 minutes.
    public static let accessSeconds = 1_800
    /// How long a refresh token is accepted, in seconds: 60 days.
    public static let refreshSeconds = 5_184_000
    /// How long the token of an auditor or an administrator is accepted, in seconds: 365 days.
    public static let auditorSeconds = 31_536_000
    /// How many bytes a key has.
    public static let keyByteCount = 32

    private struct Claims: JWTPayload {
        let iss: String
        let sub: String
        let app: String?
        let role: String
        let use: Use
        let iat: Int64
        let exp: Int64

        func verify(using algorithm: some JWTAlgorithm) async throws {
            // The signature is all that the algorithm answers for; times are compared with the server's own clock.
        }
    }

    private let keys: JWTKeyCollection
    /// The name of the key that signs.
    private let current: JWKIdentifier
    private let clock: any EventClock

    /// Creates an issuer.
    ///
    /// - Parameters:
    ///   - key: The secret that signs, 32 bytes.
    ///   - earlier: Secrets that signed before; tokens of theirs are accepted until their time is over.
    ///   - clock: The clock that tokens expire by.
    /// - Throws: ``AuditServerError/rejected(reason:)`` when a key has another length.
    public init(key: [UInt8], earlier: [[UInt8]] = [], clock: any EventClock) async throws(AuditServerError) {
        keys = JWTKeyCollection()
        current = Self.name(of: key)
        for key in earlier + [key] {
            guard key.count == Self.keyByteCount else {
                throw .rejected(reason: "a token key has \(Self.keyByteCount) bytes, this one has \(key.count)")
            }
            await keys.add(
                hmac: HMACKey(key: SymmetricKey(data: key)),
                digestAlgorithm: .sha256,
                kid: Self.name(of: key)
            )
        }
        self.clock = clock
    }

    /// A name that says nothing about the key: the beginning of a hash of it.
    private static func name(of key: [UInt8]) -> JWKIdentifier {
        JWKIdentifier(
            string: Hexadecimal.text(Array(SHA256.hash(data: Array("daybook token key".utf8) + key)).prefix(8))
        )
    }

    /// Makes a key from the system's randomness.
    public static func makeKey() -> [UInt8] {
        SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    }

    /// Issues a token.
    ///
    /// - Throws: Whatever the signing throws.
    public func issue(_ identity: Identity, for use: Use) async throws -> String {
        let now = clock.now().wall.microseconds / 1_000_000
        switch identity {
        case .uploader(let owner):
            let seconds = use == .access ? Self.accessSeconds : Self.refreshSeconds
            return try await sign(owner.user, app: owner.app, role: "uploader", use, now, seconds)
        case .auditor:
            return try await sign("auditor", app: nil, role: "auditor", use, now, Self.auditorSeconds)
        case .administrator:
            return try await sign("administrator", app: nil, role: "administrator", use, now, Self.auditorSeconds)
        }
    }

    /// Checks a token and returns who it names.
    ///
    /// - Throws: ``AuditServerError/unauthorized(reason:)`` when the signature is wrong, the token is for another use,
    ///   or its time is over.
    public func identity(of token: String, for use: Use) async throws(AuditServerError) -> Identity {
        let claims: Claims
        do {
            claims = try await keys.verify(token, as: Claims.self)
        } catch {
            throw .unauthorized(reason: "it is damaged or was not issued by this server")
        }
        guard claims.use == use else { throw .unauthorized(reason: "it is not for \(use.rawValue)") }
        guard claims.exp > clock.now().wall.microseconds / 1_000_000 else {
            throw .unauthorized(reason: "its time is over")
        }
        switch (claims.role, claims.app) {
        case ("uploader", .some(let app)): return .uploader(EventOwner(app: app, user: claims.sub))
        case ("auditor", _): return .auditor
        case ("administrator", _): return .administrator
        default: throw .unauthorized(reason: "its role is unknown")
        }
    }

    private func sign(
        _ subject: String,
        app: String?,
        role: String,
        _ use: Use,
        _ now: Int64,
        _ seconds: Int
    ) async throws -> String {
        try await keys.sign(
            Claims(iss: "daybook", sub: subject, app: app, role: role, use: use, iat: now, exp: now + Int64(seconds)),
            kid: current
        )
    }
}
