public import EventModel
public import EventProofs

import enum Crypto.Curve25519
import struct Crypto.HKDF
import struct Crypto.SHA256
import struct Crypto.SymmetricKey

/// The Ed25519 key of the server, which signs what devices and auditors may hold against it later.
///
/// ```swift
/// let key = try folder.signingKey()
/// print(Hexadecimal.text(key.publicKey))
/// ```
public struct SigningKey: Sendable {
    /// How many bytes the secret half has.
    public static let byteCount = 32

    private let key: Curve25519.Signing.PrivateKey
    /// For how long it signs; nil of a key that no other server replaces.
    private var term: SigningTerm?
    /// The public half, 32 bytes.
    public let publicKey: [UInt8]

    /// Takes over the 32 bytes of a key.
    ///
    /// - Throws: ``AuditServerError/rejected(reason:)`` when there are not exactly 32.
    public init(_ bytes: [UInt8]) throws(AuditServerError) {
        do {
            key = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        } catch {
            throw .rejected(reason: "a signing key has \(Self.byteCount) bytes, this one has \(bytes.count)")
        }
        publicKey = Array(key.publicKey.rawRepresentation)
    }

    /// Makes the 32 bytes of a key from the system's randomness.
    public static func makeKey() -> [UInt8] {
        Array(Curve25519.Signing.PrivateKey().rawRepresentation)
    }

    /// Returns the key, and those that it derives, with a bound for how long they sign.
    ///
    /// Seals of the auditors' trail need no bound of their own: each is stored with a receipt.
    public func limited(to term: SigningTerm) -> SigningKey {
        var key = self
        key.term = term
        return key
    }

    /// Derives 32 bytes for a purpose, which tell nothing about the key.
    package func derived(for purpose: String) -> [UInt8] {
        let secret = SymmetricKey(data: key.rawRepresentation)
        return HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: Array(purpose.utf8), outputByteCount: 32)
            .withUnsafeBytes { Array($0) }
    }

    /// Derives the key that signs checkpoints of the log, so that no statement of the one can be taken for one of the other.
    ///
    /// - Parameter origin: The log's name: not empty, without spaces and plus signs.
    /// - Returns: The key.
    /// - Throws: `ProofError.malformedVerifierKey(reason:)` when the name is none.
    public func logSigner(origin: ExactText) throws(ProofError) -> EdwardsNoteSigner {
        try EdwardsNoteSigner(
            name: origin,
            algorithm: .ed25519,
            rawRepresentation: derived(for: "daybook log checkpoints")
        )
    }

    /// Derives the key that signs checkpoints of the log, for as long as this one may sign.
    ///
    /// - Parameter origin: The log's name: not empty, without spaces and plus signs.
    /// - Returns: The key.
    /// - Throws: `ProofError.malformedVerifierKey(reason:)` when the name is none.
    package func checkpointSigner(origin: ExactText) throws(ProofError) -> any NoteSigner {
        CheckpointSigner(signer: try logSigner(origin: origin), term: term)
    }

    private struct CheckpointSigner: NoteSigner {
        let signer: EdwardsNoteSigner
        let term: SigningTerm?

        var verifierKey: NoteVerifierKey { signer.verifierKey }

        func signature(for message: [UInt8]) throws -> [UInt8] {
            try term?.check()
            return try signer.signature(for: message)
        }
    }

    /// Derives the key that seals the auditors' trail, as a device's key seals its partitions.
    package var trailKey: DeviceKey {
        guard let key = DeviceKey(rawRepresentation: derived(for: "daybook auditors' trail")) else {
            preconditionFailure("A key that is derived has the bytes of one.")
        }
        return key
    }

    /// Derives the key that signs exports, so that what one signs counts for no other, and whoever learns it alone signs no receipt.
    package var exportKey: SigningKey {
        do {
            var key = try SigningKey(derived(for: "daybook exports"))
            key.term = term
            return key
        } catch {
            preconditionFailure("A key that is derived has the bytes of one.")
        }
    }

    /// Signs the bytes of a statement.
    ///
    /// - Throws: `AuditServerError.unavailable(reason:)` when the key may not sign any more; whatever the system's cryptography throws when it
    ///   cannot.
    package func sign(_ bytes: [UInt8]) throws -> [UInt8] {
        try term?.check()
        return Array(try key.signature(for: bytes))
    }

    /// Signs what a partition's owner is told.
    ///
    /// - Parameters:
    ///   - proof: How far the partition is durable.
    ///   - owner: Whose partition it is.
    ///   - now: The time of the receipt.
    /// - Returns: The proof with its receipt; without one when nothing is durable.
    /// - Throws: Whatever the system's cryptography throws when it cannot sign.
    package func signed(_ proof: DurabilityProof, for owner: EventOwner, at now: EventInstant) throws -> DurabilityProof
    {
        guard proof.durableThrough > 0 || proof.isSealed else { return proof }
        func receipt(_ signature: [UInt8]) -> StorageReceipt {
            StorageReceipt(
                app: owner.app,
                user: owner.user,
                partition: proof.partition,
                durableThrough: proof.durableThrough,
                root: proof.root,
                isSealed: proof.isSealed,
                issued: now,
                publicKey: publicKey,
                signature: signature
            )
        }
        return DurabilityProof(
            partition: proof.partition,
            durableThrough: proof.durableThrough,
            root: proof.root,
            isSealed: proof.isSealed,
            receipt: receipt(try sign(receipt([]).canonicalBytes))
        )
    }

    /// Signs what the log is.
    ///
    /// - Throws: Whatever the system's cryptography throws when it cannot sign.
    package func head(size: UInt64, root: Digest, at now: EventInstant) throws -> TreeHead {
        func head(_ signature: [UInt8]) -> TreeHead {
            TreeHead(size: size, root: root, issued: now, publicKey: publicKey, signature: signature)
        }
        return head(try sign(head([]).canonicalBytes))
    }
}
