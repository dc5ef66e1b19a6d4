import EventModel

import enum Crypto.Curve25519

/// Checks signatures of Ed25519 (RFC 8032).
public enum EdwardsSignature {
    /// How many bytes a signature has.
    package static let byteCount = 64

    /// Returns whether a signature belongs to the bytes and to the key.
    ///
    /// Bytes that are no key have signed nothing, and neither has a point of small order: see
    /// `EdwardsPoint.isOfSmallOrder(_:)`.
    public static func isValid(_ signature: [UInt8], for bytes: [UInt8], by publicKey: [UInt8]) -> Bool {
        guard !EdwardsPoint.isOfSmallOrder(publicKey) else { return false }
        do {
            return try Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
                .isValidSignature(signature, for: bytes)
        } catch {
            return false
        }
    }

    /// Returns whether 32 bytes can be a key; whether they are a point shows only when a signature is checked.
    static func isKey(_ publicKey: [UInt8]) -> Bool {
        publicKey.count == 32 && !EdwardsPoint.isOfSmallOrder(publicKey)
    }
}
