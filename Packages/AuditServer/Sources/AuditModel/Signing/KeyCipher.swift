import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
public import Foundation
#endif

/// Encrypts the keys of servers that lie in a shared database, under a key that does not: AES-256-GCM.
public struct KeyCipher: Sendable {
    /// How many bytes the key has.
    public static let keyByteCount = 32

    private let key: SymmetricKey

    /// Takes over a key.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it has not 32 bytes.
    public init(key: [UInt8]) throws(AuditServerError) {
        guard key.count == Self.keyByteCount else {
            throw .rejected(
                reason: "the key that encrypts keys has \(Self.keyByteCount) bytes, this one has \(key.count)"
            )
        }
        self.key = SymmetricKey(data: key)
    }

    /// Encrypts a secret for one purpose, and for no other.
    ///
    /// - Throws: Whatever the system's cryptography throws when it cannot encrypt.
    package func seal(_ secret: [UInt8], for purpose: String) throws -> [UInt8] {
        let box = try AES.GCM.seal(secret, using: key, authenticating: Array(purpose.utf8))
        // A box with the standard nonce of twelve bytes has the combined form.
        guard let combined = box.combined else {
            throw AuditServerError.unavailable(reason: "a key cannot be encrypted")
        }
        return Array(combined)
    }

    /// Decrypts what was encrypted for a purpose; nil when another key did, or it is damaged.
    package func open(_ sealed: [UInt8], for purpose: String) -> [UInt8]? {
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            return Array(try AES.GCM.open(box, using: key, authenticating: Array(purpose.utf8)))
        } catch {
            // Why it does not open tells nobody anything: the key is another, or a byte is.
            return nil
        }
    }
}
