import enum Crypto.Curve25519
import enum Crypto.P256

/// The secret half of a device's key, wherever it lies.
enum DeviceSecret: Sendable {
    case edwards(Curve25519.Signing.PrivateKey)
    case curve(P256.Signing.PrivateKey)
    #if canImport(CryptoKit) && canImport(Security)
    case enclave(EnclaveKey)
    #endif

    /// Makes a new one in memory.
    init(_ algorithm: DeviceKeyAlgorithm) {
        switch algorithm {
        case .ed25519: self = .edwards(Curve25519.Signing.PrivateKey())
        case .p256: self = .curve(P256.Signing.PrivateKey())
        }
    }

    /// The public half, in the form that ``DeviceKeyAlgorithm`` names.
    var publicKey: [UInt8] {
        switch self {
        case .edwards(let key): Array(key.publicKey.rawRepresentation)
        case .curve(let key): Array(key.publicKey.compressedRepresentation)
        #if canImport(CryptoKit) && canImport(Security)
        case .enclave(let key): key.publicKey
        #endif
        }
    }

    /// Signs bytes, with the 64 that ``DeviceSignature`` takes for valid.
    ///
    /// - Throws: Whatever the system's cryptography throws when it cannot sign.
    func signature(for bytes: [UInt8]) throws -> [UInt8] {
        switch self {
        case .edwards(let key): Array(try key.signature(for: bytes))
        case .curve(let key): CurveSignature.canonical(Array(try key.signature(for: bytes).rawRepresentation))
        #if canImport(CryptoKit) && canImport(Security)
        case .enclave(let key): CurveSignature.canonical(try key.signature(for: bytes))
        #endif
        }
    }
}
