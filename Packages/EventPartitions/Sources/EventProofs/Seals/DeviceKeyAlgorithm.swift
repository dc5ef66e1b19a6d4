/// How a device's key signs; the first bytes and the number of its public key say it, and nothing else does.
///
/// The public key stands in everything that a device signs, with its length in front of it: so the algorithm is signed as well, and
/// a signature of the one is never taken for one of the other.
@nonexhaustive
public enum DeviceKeyAlgorithm: Sendable, Hashable, CaseIterable {
    /// Ed25519 (RFC 8032): the public key has 32 bytes.
    case ed25519
    /// ECDSA with SHA-256 over P-256 (FIPS 186-5): the public key is the compressed point of SEC 1, 33 bytes that begin with 2 or 3.
    case p256

    /// Tells by a public key how it signs; whether it is a point of the curve is not looked at.
    ///
    /// - Returns: nil when it is a key of neither.
    public init?(publicKey: [UInt8]) {
        switch publicKey.count {
        case 32: self = .ed25519
        case 33 where publicKey[0] == 2 || publicKey[0] == 3: self = .p256
        default: return nil
        }
    }
}
