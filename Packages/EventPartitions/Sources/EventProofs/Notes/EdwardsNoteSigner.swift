public import EventModel

import enum Crypto.Curve25519

/// An Ed25519 key in memory that signs notes or cosigns checkpoints.
///
/// ```swift
/// let signer = try EdwardsNoteSigner(name: "example.com/log", algorithm: .ed25519)
/// let note = try SignedNote(text: checkpoint.text, signedBy: [signer])
/// ```
public struct EdwardsNoteSigner: NoteSigner {
    private let key: Curve25519.Signing.PrivateKey
    /// The public half.
    public let verifierKey: NoteVerifierKey

    /// Makes a new key from the system's randomness.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - algorithm: Whether it signs notes or cosigns checkpoints.
    /// - Throws: ``ProofError/malformedVerifierKey(reason:)`` when the name is none.
    public init(name: ExactText, algorithm: NoteAlgorithm) throws(ProofError) {
        try self.init(name: name, algorithm: algorithm, key: Curve25519.Signing.PrivateKey())
    }

    /// Takes over the 32 bytes of a key.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - algorithm: Whether it signs notes or cosigns checkpoints.
    ///   - rawRepresentation: The secret half, the 32 bytes of RFC 8032.
    /// - Throws: ``ProofError/malformedVerifierKey(reason:)`` when the name is none or there are not exactly 32 bytes.
    public init(name: ExactText, algorithm: NoteAlgorithm, rawRepresentation: [UInt8]) throws(ProofError) {
        let key: Curve25519.Signing.PrivateKey
        do {
            key = try Curve25519.Signing.PrivateKey(rawRepresentation: rawRepresentation)
        } catch {
            throw .malformedVerifierKey(reason: "the secret half of an Ed25519 key has 32 bytes")
        }
        try self.init(name: name, algorithm: algorithm, key: key)
    }

    private init(name: ExactText, algorithm: NoteAlgorithm, key: Curve25519.Signing.PrivateKey) throws(ProofError) {
        self.key = key
        verifierKey = try NoteVerifierKey(
            name: name,
            algorithm: algorithm,
            publicKey: Array(key.publicKey.rawRepresentation)
        )
    }

    /// The secret half, 32 bytes, for whoever keeps it.
    public var rawRepresentation: [UInt8] { Array(key.rawRepresentation) }

    /// Signs a message.
    public func signature(for message: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: message)) }
}
