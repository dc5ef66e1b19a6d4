import enum Crypto.P256

/// Checks signatures of ECDSA with SHA-256 over P-256 (FIPS 186-5).
///
/// A signature is *r* and *s*, 32 bytes each with the highest first. With *s* the curve's order *n* minus *s* would be valid as well,
/// and everybody can compute it: one seal could be shown with two signatures, and files and logs that name the signature would
/// differ without anybody having signed twice. So of the two only the one with *s* of at most *n* / 2 is valid here, as of
/// Ed25519 only one is. For the same reason the point of a key is written in one way: compressed.
enum CurveSignature {
    /// The order of the curve, and its half, which is rounded down.
    private static let order: [UInt8] =
        [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
        + [0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51]
    private static let half: [UInt8] =
        [0x7F, 0xFF, 0xFF, 0xFF, 0x80, 0, 0, 0, 0x7F] + [UInt8](repeating: 0xFF, count: 7)
        + [0xDE, 0x73, 0x7D, 0x56, 0xD3, 0x8B, 0xCF, 0x42, 0x79, 0xDC, 0xE5, 0x61, 0x7E, 0x31, 0x92, 0xA8]

    /// Returns whether a signature belongs to the bytes and to the key.
    static func isValid(_ signature: [UInt8], for bytes: [UInt8], by publicKey: [UInt8]) -> Bool {
        guard signature.count == DeviceSignature.byteCount, !half.lexicographicallyPrecedes(signature[32...]) else {
            return false
        }
        do {
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: signature)
            return key(publicKey)?.isValidSignature(signature, for: bytes) ?? false
        } catch {
            // What is no signature was not made by anybody.
            return false
        }
    }

    /// Returns whether 33 bytes are a point of the curve.
    static func isKey(_ publicKey: [UInt8]) -> Bool { key(publicKey) != nil }

    /// Returns the one of two valid signatures that is used here.
    static func canonical(_ signature: [UInt8]) -> [UInt8] {
        guard half.lexicographicallyPrecedes(signature[32...]) else { return signature }
        var (rest, borrow) = ([UInt8](repeating: 0, count: 32), 0)
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(signature[32 + index]) - borrow
            rest[index] = UInt8(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
        return signature[..<32] + rest
    }

    private static func key(_ bytes: [UInt8]) -> P256.Signing.PublicKey? {
        do {
            let key = try P256.Signing.PublicKey(compressedRepresentation: bytes)
            // A library that reads a coordinate beyond the field would give a key a second name.
            return key.compressedRepresentation.elementsEqual(bytes) ? key : nil
        } catch {
            // The only reason is that they are no point of the curve, which nil says as well.
            return nil
        }
    }
}
