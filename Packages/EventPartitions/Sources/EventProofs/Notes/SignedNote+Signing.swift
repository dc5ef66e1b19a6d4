public import EventModel

extension SignedNote {
    /// Signs a text.
    ///
    /// - Parameters:
    ///   - text: The text; it ends with a newline.
    ///   - signers: The keys that sign it, each with ``NoteAlgorithm/ed25519``; at least one.
    /// - Throws: ``ProofError/malformedNote(reason:)`` when nobody could read the note, ``ProofError/invalidNoteSignature(name:)``
    ///   when a signer makes something that its key did not sign, and whatever a signer throws.
    public init(text: ExactText, signedBy signers: [any NoteSigner]) throws {
        let message = Array(text.string.utf8)
        var signatures: [NoteSignature] = []
        for signer in signers {
            let key = signer.verifierKey
            let bytes = try signer.signature(for: message)
            guard key.algorithm == .ed25519, EdwardsSignature.isValid(bytes, for: message, by: key.publicKey) else {
                throw ProofError.invalidNoteSignature(name: key.name.string)
            }
            signatures.append(NoteSignature(key: key, bytes: bytes))
        }
        try self.init(text: text, signatures: signatures)
    }

    /// Returns the note with more signatures; those that it has already are not added again.
    ///
    /// - Parameter more: Signatures of the same text, such as those that witnesses answered with.
    /// - Returns: The note, the new signatures behind those that it had.
    /// - Throws: ``ProofError/malformedNote(reason:)`` when there would be too many.
    public func adding(_ more: [NoteSignature]) throws(ProofError) -> SignedNote {
        var signatures = signatures
        for signature in more where !signatures.contains(signature) { signatures.append(signature) }
        return try SignedNote(text: text, signatures: signatures)
    }
}
