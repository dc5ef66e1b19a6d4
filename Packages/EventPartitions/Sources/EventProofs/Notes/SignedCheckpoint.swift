/// A checkpoint with the note that it was read from.
///
/// Its form is checked, its signatures are not: that does ``WitnessPolicy/verify(_:)``.
public struct SignedCheckpoint: Sendable, Hashable {
    /// The note.
    public let note: SignedNote
    /// What its text says.
    public let checkpoint: Checkpoint

    /// Reads the text of a note.
    ///
    /// - Parameter note: The note.
    /// - Throws: ``ProofError/malformedCheckpoint(reason:)`` when its text is no checkpoint.
    public init(_ note: SignedNote) throws(ProofError) {
        self.note = note
        checkpoint = try Checkpoint(parsing: note.text)
    }

    /// Reads a note and its text.
    ///
    /// - Parameter bytes: The whole note, at most ``SignedNote/maximumBytes``.
    /// - Throws: ``ProofError/malformedNote(reason:)`` and ``ProofError/malformedCheckpoint(reason:)``.
    public init(_ bytes: [UInt8]) throws(ProofError) {
        try self.init(SignedNote(bytes))
    }

    /// Signs a checkpoint as its log.
    ///
    /// - Parameters:
    ///   - checkpoint: The checkpoint; the log must not have signed another one that is inconsistent with it.
    ///   - signers: The keys of the log; at least one.
    /// - Throws: ``ProofError/invalidNoteSignature(name:)``, and whatever a signer throws.
    public init(_ checkpoint: Checkpoint, signedBy signers: [any NoteSigner]) throws {
        note = try SignedNote(text: checkpoint.text, signedBy: signers)
        self.checkpoint = checkpoint
    }

    /// Returns the checkpoint with the cosignatures of witnesses.
    ///
    /// - Parameter cosignatures: What the witnesses answered; those that are there already are not added again.
    /// - Returns: The same checkpoint, in a note with more lines.
    /// - Throws: ``ProofError/malformedNote(reason:)`` when there would be too many.
    public func adding(_ cosignatures: [NoteSignature]) throws(ProofError) -> SignedCheckpoint {
        try SignedCheckpoint(note.adding(cosignatures))
    }
}
