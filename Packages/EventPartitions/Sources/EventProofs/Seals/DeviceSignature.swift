/// Checks what devices signed, with either ``DeviceKeyAlgorithm``.
///
/// What servers sign is Ed25519 alone, and is not checked with this.
public enum DeviceSignature {
    /// How many bytes a signature has, with either algorithm.
    package static let byteCount = 64

    /// Returns whether a signature belongs to the bytes and to the key, by the algorithm that the key names.
    ///
    /// Bytes that are no key have signed nothing. Of the two signatures of P-256 that belong to each other, of which anybody can compute the
    /// second one, only that with the smaller *s* is valid.
    public static func isValid(_ signature: [UInt8], for bytes: [UInt8], by publicKey: [UInt8]) -> Bool {
        switch DeviceKeyAlgorithm(publicKey: publicKey) {
        case .ed25519: EdwardsSignature.isValid(signature, for: bytes, by: publicKey)
        case .p256: CurveSignature.isValid(signature, for: bytes, by: publicKey)
        case nil: false
        }
    }

    /// Returns whether bytes are a public key that can have signed something.
    public static func isKey(_ publicKey: [UInt8]) -> Bool {
        switch DeviceKeyAlgorithm(publicKey: publicKey) {
        case .ed25519: EdwardsSignature.isKey(publicKey)
        case .p256: CurveSignature.isKey(publicKey)
        case nil: false
        }
    }
}
