#if canImport(CryptoKit) && canImport(Security)
import CryptoKit
import Foundation
import Security

/// A P-256 key whose secret half the Secure Enclave of this device made, and gives to nobody.
///
/// What is kept of it is a text that only the same Enclave can read. It may be used from the first time on that the device was
/// unlocked since it was started, because events are sealed in the background, too.
///
/// No machine that runs the tests of the house has a Secure Enclave: this was compiled against stand-ins, and never run.
// SAFETY: The only value is a reference to the system's key, which nobody changes; Security says that a `SecKey` may be used from any
// thread.
struct EnclaveKey: @unchecked Sendable {
    /// Whether this device has an Enclave.
    static var isAvailable: Bool { SecureEnclave.isAvailable }

    private let key: SecureEnclave.P256.Signing.PrivateKey

    /// Has the Enclave make a key.
    init() throws {
        var error: Unmanaged<CFError>?
        let access = SecAccessControlCreateWithFlags(
            nil,
            kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            .privateKeyUsage,
            &error
        )
        if let access {
            key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: access)
        } else if let error {
            throw error.takeRetainedValue() as any Error
        } else {
            throw DeviceKeyFile.Malformation(reason: "the system names no reason")
        }
    }

    /// Takes up a key that this Enclave made.
    init(dataRepresentation: [UInt8]) throws {
        key = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: Data(dataRepresentation))
    }

    /// What only this Enclave can read.
    var dataRepresentation: [UInt8] { Array(key.dataRepresentation) }

    /// The public half: the compressed point, 33 bytes.
    var publicKey: [UInt8] { Array(key.publicKey.compressedRepresentation) }

    /// Signs bytes.
    func signature(for bytes: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: Data(bytes)).rawRepresentation)
    }
}
#endif
