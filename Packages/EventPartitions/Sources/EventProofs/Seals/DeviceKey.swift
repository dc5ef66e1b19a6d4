public import EventModel

import enum Crypto.Curve25519
import struct Crypto.HKDF
import struct Crypto.HMAC
import struct Crypto.SHA256
import struct Crypto.SymmetricKey

/// The Ed25519 key of a device, which signs the seals of its partitions.
public struct DeviceKey: Sendable {
    /// How many bytes ``code(for:)`` has.
    package static let codeByteCount = 32

    private let key: Curve25519.Signing.PrivateKey
    /// What the device's own notes are authenticated with.
    private let noteKey: SymmetricKey
    /// The public half, 32 bytes.
    public let publicKey: [UInt8]

    /// Makes a new key from the system's randomness.
    public init() {
        self.init(key: Curve25519.Signing.PrivateKey())
    }

    /// Takes over the 32 bytes of a key.
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
        self.key = key
        noteKey = HKDF<SHA256>
            .deriveKey(
                inputKeyMaterial: SymmetricKey(data: key.rawRepresentation),
                info: Array("daybook note 1".utf8),
                outputByteCount: 32
            )
        publicKey = Array(key.publicKey.rawRepresentation)
    }

    /// The secret half, 32 bytes.
    package var rawRepresentation: [UInt8] { Array(key.rawRepresentation) }

    /// Signs a statement of another kind than a seal, which its first eight letters name.
    ///
    /// - Throws: Whatever the system's cryptography throws when it cannot sign.
    package func sign(_ statement: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: statement))
    }

    /// Signs a digest itself, such as the head of a chain of changes: 32 bytes, which no statement and no seal is.
    ///
    /// - Returns: The 64 bytes of the signature.
    /// - Throws: Whatever the system's cryptography throws when it cannot sign.
    public func signature(of digest: Digest) throws -> [UInt8] { try sign(digest.bytes) }

    /// Authenticates a note that only this device has to believe: HMAC-SHA-256 under a key that is derived from this one.
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
        return seal(signature: Array(try key.signature(for: seal(signature: []).canonicalBytes)))
    }
}
