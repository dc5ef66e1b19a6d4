public import AuditModel
import Crypto
package import EventModel
import JWTKit

/// How tokens that another identity provider signed are checked.
///
/// A token needs a subject, an expiry that lies ahead, and the audience that the app expects. The user is made from the
/// subject, so that a person is the same user for ever.
public struct CustomTokens: Sendable {
    /// The key that signatures are checked with.
    public enum Key: Sendable {
        /// A shared secret of at least 32 bytes: HMAC-SHA-256.
        case secret([UInt8])
        /// The provider's public key of RSA as PEM: RS256.
        case rsa(pem: String)
        /// The provider's public key on the curve P-256 as PEM: ES256.
        case ecdsa(pem: String)
    }

    private struct Claims: JWTPayload {
        let sub: String
        let exp: Double
        let nbf: Double?
        let aud: AudienceClaim?

        func verify(using algorithm: some JWTAlgorithm) async throws {
            // Times and audience are compared below, with the server's own clock.
        }
    }

    private let keys: JWTKeyCollection
    private let audience: String

    /// Creates the check of one app.
    ///
    /// - Parameters:
    ///   - key: What signatures are checked with.
    ///   - audience: What a token must be made for; mostly the app id.
    /// - Throws: `AuditServerError.rejected(reason:)` when the key cannot be used.
    public init(key: Key, audience: String) async throws(AuditServerError) {
        keys = JWTKeyCollection()
        self.audience = audience
        do {
            switch key {
            case .secret(let bytes):
                guard bytes.count >= 32 else {
                    throw AuditServerError.rejected(reason: "the secret for custom tokens has less than 32 bytes")
                }
                await keys.add(hmac: HMACKey(key: SymmetricKey(data: bytes)), digestAlgorithm: .sha256)
            case .rsa(let pem):
                await keys.add(rsa: try Insecure.RSA.PublicKey(pem: pem), digestAlgorithm: .sha256)
            case .ecdsa(let pem):
                await keys.add(ecdsa: try ES256PublicKey(pem: pem))
            }
        } catch let error as AuditServerError {
            throw error
        } catch {
            throw .rejected(reason: "the public key for custom tokens cannot be read as PEM")
        }
    }

    /// Checks a token and returns its subject.
    ///
    /// - Throws: `AuditServerError.unauthorized(reason:)` when anything about it is wrong.
    package func subject(of token: String, now: EventInstant) async throws(AuditServerError) -> String {
        try TokenHeader.check(token)
        let claims: Claims
        do {
            claims = try await keys.verify(token, as: Claims.self)
        } catch {
            throw .unauthorized(reason: "it is damaged, lacks a subject or an expiry, or another key has signed it")
        }
        let seconds = Double(now.microseconds) / 1_000_000
        guard claims.exp > seconds else { throw .unauthorized(reason: "its time is over") }
        guard claims.nbf ?? 0 <= seconds else { throw .unauthorized(reason: "its time has not come") }
        guard claims.aud?.value.contains(audience) == true else {
            throw .unauthorized(reason: "it is for another audience")
        }
        guard (1...256).contains(claims.sub.utf8.count) else {
            throw .unauthorized(reason: "its subject has not 1 to 256 bytes")
        }
        return claims.sub
    }
}
