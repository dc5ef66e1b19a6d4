/// A private key that signs notes, wherever it lies: in memory, in a Secure Enclave, in a machine of its own.
///
/// Implementing: may be called from any thread, several times at once. What it returns is checked with the public key before
/// anybody else sees it, so that an implementation need not.
public protocol NoteSigner: Sendable {
    /// The public half, with the name under which it signs.
    var verifierKey: NoteVerifierKey { get }

    /// Signs a message, exactly as it is, by Ed25519 (RFC 8032).
    ///
    /// - Parameter message: The text of a note, or the message of a cosignature.
    /// - Returns: The 64 bytes of the signature.
    /// - Throws: Whatever keeps the key from signing; nothing was signed then.
    func signature(for message: [UInt8]) throws -> [UInt8]
}
