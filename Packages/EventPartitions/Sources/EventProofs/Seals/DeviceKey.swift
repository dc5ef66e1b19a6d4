public import EventModel

import enum Crypto.Curve25519
import struct Crypto.HKDF
import struct Crypto.HMAC
import enum Crypto.P256
import struct Crypto.SHA256
import struct Crypto.SymmetricKey

/// The key of a device, which signs the seals of its partitions: Ed25519, or P-256, which the Secure Enclave can keep.
///
/// ```swift
/// let key = try DeviceKey.loadOrCreate(at: path, in: POSIXFileSystem())
/// key.algorithm                   // .p256 where the key was made in a Secure Enclave
/// ```
public struct DeviceKey: Sendable {
    /// How many bytes ``code(for:)`` has.
    package static let codeByteCount = 32

    private let secret: DeviceSecret
    /// What the device's own notes are authenticated with.
    private let noteKey: SymmetricKey
    /// The public half: 32 bytes, or 33 of a P-256 key.
    public let publicKey: [UInt8]

    /// Makes a new key from the system's randomness, in memory.
    ///
    /// - Parameter algorithm: How it signs; Ed25519 by default.
    public init(_ algorithm: DeviceKeyAlgorithm = .ed25519) {
        switch DeviceSecret(algorithm) {
        case .edwards(let key): self.init(key: key)
        case let secret: self.init(secret, noteKey: SymmetricKey(size: .bits256))
        }
    }

    /// Takes over the 32 bytes of an Ed25519 key.
    ///
    /// - Returns: nil when there are not exactly 32.
    public init?(rawRepresentation: [UInt8]) {
        do {
            self.init(key: try Curve25519.Signing.PrivateKey(rawRepresentation: rawRepresentation))
        } catch {
            // The only reason is a wrong number of bytes, which nil says as well.
            return nil
        }
    }

    private init(key: Curve25519.Signing.PrivateKey) {
        let noteKey = HKDF<SHA256>
            .deriveKey(
                inputKeyMaterial: SymmetricKey(data: key.rawRepresentation),
                info: Array("daybook note 1".utf8),
                outputByteCount: 32
            )
        self.init(.edwards(key), noteKey: noteKey)
    }

    init(_ secret: DeviceSecret, noteKey: SymmetricKey) {
        self.secret = secret
        self.noteKey = noteKey
        publicKey = secret.publicKey
    }

    /// How the key signs.
    public var algorithm: DeviceKeyAlgorithm {
        switch secret {
        case .edwards: .ed25519
        default: .p256
        }
    }

    /// Signs a statement of another kind than a seal, which its first eight letters name.
    ///
    /// - Throws: Whatever the system's cryptography throws when it cannot sign.
    package func sign(_ statement: [UInt8]) throws -> [UInt8] { try secret.signature(for: statement) }

    /// Signs a digest itself, such as the head of a chain of changes: 32 bytes, which no statement and no seal is.
    ///
    /// - Returns: The 64 bytes of the signature.
    /// - Throws: Whatever the system's cryptography throws when it cannot sign.
    public func signature(of digest: Digest) throws -> [UInt8] { try sign(digest.bytes) }

    /// Authenticates a note that only this device has to believe: HMAC-SHA-256 under a key that nobody else has.
    package func code(for bytes: some Collection<UInt8>) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(bytes), using: noteKey))
    }

    /// Returns whether a code is that of the bytes, in the same time for every wrong one.
    package func isCode(_ code: some Collection<UInt8>, for bytes: some Collection<UInt8>) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(Array(code), authenticating: Array(bytes), using: noteKey)
    }

    /// Closes a partition with a signed statement of what it holds and lost.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - owner: Whose it is.
    ///   - number: Which one of the device's seals for this owner it is, from 1; nil when nobody counts.
    ///   - frontier: The tree over its events.
    ///   - first: When its first event happened, or nil.
    ///   - last: When its last event happened, or nil.
    ///   - previousRoot: The root of the partition that the same writer sealed before, or nil.
    ///   - losses: What was dropped while it was open, as much as `PartitionSeal.capacity(for:)` allows.
    ///   - ledgerPart: Which part of a ledger these losses are; 0 by default.
    ///   - isLedgerContinued: Whether the next seal goes on with the ledger; false by default.
    /// - Returns: The signed seal.
    /// - Throws: Whatever the system's cryptography throws when it cannot sign.
    public func seal(
        _ partition: PartitionID,
        of owner: EventOwner,
        number: UInt64? = nil,
        over frontier: MerkleFrontier,
        first: EventInstant?,
        last: EventInstant?,
        previousRoot: Digest?,
        losses: [LossEntry],
        ledgerPart: UInt32 = 0,
        isLedgerContinued: Bool = false
    ) throws -> PartitionSeal {
        func seal(signature: [UInt8]) -> PartitionSeal {
            PartitionSeal(
                partition: partition,
                owner: owner,
                number: number,
                count: frontier.count,
                root: frontier.root,
                first: first,
                last: last,
                previousRoot: previousRoot,
                losses: losses,
                ledgerPart: ledgerPart,
                isLedgerContinued: isLedgerContinued,
                publicKey: publicKey,
                signature: signature
            )
        }
        return seal(signature: try sign(seal(signature: []).canonicalBytes))
    }
}

// MARK: - File

extension DeviceKey {
    /// What the file of the key holds.
    ///
    /// - Throws: Whatever the system's cryptography throws when it cannot sign.
    func fileBytes() throws -> [UInt8] {
        let (home, stored): (DeviceKeyFile.Home, [UInt8])
        switch secret {
        case .edwards(let key): return Array(key.rawRepresentation)
        case .curve(let key): (home, stored) = (.file, Array(key.rawRepresentation))
        #if canImport(CryptoKit) && canImport(Security)
        case .enclave(let key): (home, stored) = (.enclave, key.dataRepresentation)
        #endif
        }
        let noteBytes = noteKey.withUnsafeBytes { Array($0) }
        let file = DeviceKeyFile(home: home, publicKey: publicKey, noteKey: noteBytes, secret: stored)
        let statement = file.statement
        return statement + (try sign(statement))
    }

    /// Takes a key up from its file.
    ///
    /// - Throws: ``DeviceKeyFile/Malformation`` when this system has no key for it.
    init(_ file: DeviceKeyFile) throws(DeviceKeyFile.Malformation) {
        let secret: DeviceSecret
        switch file.home {
        case .file:
            do {
                secret = .curve(try P256.Signing.PrivateKey(rawRepresentation: file.secret))
            } catch {
                throw DeviceKeyFile.Malformation(reason: "it does not hold the secret half of a key")
            }
        case .enclave:
            #if canImport(CryptoKit) && canImport(Security)
            do {
                secret = .enclave(try EnclaveKey(dataRepresentation: file.secret))
            } catch {
                let reason =
                    "the Secure Enclave of this device does not know it (\(error)); "
                    + "if the file came from another device, remove it, and a new key is made"
                throw DeviceKeyFile.Malformation(reason: reason)
            }
            #else
            throw DeviceKeyFile.Malformation(
                reason: "its secret half is in the Secure Enclave of another device; remove it, and a new key is made"
            )
            #endif
        }
        guard secret.publicKey == file.publicKey else {
            throw DeviceKeyFile.Malformation(reason: "it holds the halves of two keys")
        }
        self.init(secret, noteKey: SymmetricKey(data: file.noteKey))
    }

    /// Has the Secure Enclave make a key.
    ///
    /// - Throws: ``DeviceKeyFile/Malformation`` when there is none, or it makes none.
    static func inEnclave() throws(DeviceKeyFile.Malformation) -> DeviceKey {
        #if canImport(CryptoKit) && canImport(Security)
        do {
            return DeviceKey(.enclave(try EnclaveKey()), noteKey: SymmetricKey(size: .bits256))
        } catch {
            throw DeviceKeyFile.Malformation(
                reason: "the Secure Enclave makes no key (\(error)); make it in a file first, with loadOrCreate"
            )
        }
        #else
        throw DeviceKeyFile.Malformation(reason: "this system has no Secure Enclave")
        #endif
    }
}
