/// Where the secret half of a new key of a device lies, and so how it signs.
@nonexhaustive
public enum DeviceKeyHome: Sendable, Hashable {
    /// In the key's file, which only its owner may read.
    case file(DeviceKeyAlgorithm)
    /// In the Secure Enclave, from which nobody reads it, and which signs with P-256 alone; on Apple's devices that have one.
    case secureEnclave

    /// The Secure Enclave where there is one, and elsewhere a file with an Ed25519 key.
    public static var preferred: DeviceKeyHome {
        #if canImport(CryptoKit) && canImport(Security)
        EnclaveKey.isAvailable ? .secureEnclave : .file(.ed25519)
        #else
        .file(.ed25519)
        #endif
    }
}
