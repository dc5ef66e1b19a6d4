public import EventModel

/// Whom somebody believes a checkpoint: the log's own key, and a quorum of witnesses.
///
/// ```swift
/// let policy = try WitnessPolicy(logKeys: [log], witnesses: [first, second, third], quorum: 2)
/// let cosigned = try policy.verify(SignedCheckpoint(bytes))
/// ```
public struct WitnessPolicy: Sendable, Hashable {
    /// The log whose checkpoints are believed.
    public let origin: ExactText
    /// The log's keys, one of which must have signed: several while one takes the place of another.
    public let logKeys: [NoteVerifierKey]
    /// The witnesses that are believed.
    public let witnesses: [NoteVerifierKey]
    /// How many of them must have cosigned; 0 for a log that is believed without any.
    public let quorum: Int

    /// States a policy.
    ///
    /// - Parameters:
    ///   - origin: The log's origin; nil for the name of its first key, which it should be.
    ///   - logKeys: The log's keys; at least one.
    ///   - witnesses: The keys of witnesses, each with ``NoteAlgorithm/cosignature``.
    ///   - quorum: How many of them must have cosigned.
    /// - Throws: ``ProofError/unusablePolicy(reason:)`` when the log has no key, the quorum cannot be reached, a witness has a key that
    ///   states no time, or two have the same one: its cosignature does not say under which name it was made, and would
    ///   count twice.
    public init(
        origin: ExactText? = nil,
        logKeys: [NoteVerifierKey],
        witnesses: [NoteVerifierKey] = [],
        quorum: Int = 0
    ) throws(ProofError) {
        guard let first = logKeys.first else { throw .unusablePolicy(reason: "it names no key of the log") }
        guard quorum >= 0, quorum <= witnesses.count else {
            throw .unusablePolicy(reason: "it asks for \(quorum) of \(witnesses.count) witnesses")
        }
        guard witnesses.allSatisfy({ $0.algorithm == .cosignature }) else {
            throw .unusablePolicy(reason: "the key of a witness does not make cosignatures")
        }
        guard Set((logKeys + witnesses).map(\.publicKey)).count == logKeys.count + witnesses.count else {
            throw .unusablePolicy(reason: "it names the same key twice")
        }
        self.origin = origin ?? first.name
        self.logKeys = logKeys
        self.witnesses = witnesses
        self.quorum = quorum
    }

    /// Checks that the log signed a checkpoint and enough witnesses cosigned it.
    ///
    /// The time of a cosignature is what the witness's clock said; whether one is too old, or in the future, is for the caller to judge.
    ///
    /// - Parameter signed: The checkpoint as it was read.
    /// - Returns: The checkpoint, and who cosigned it when.
    /// - Throws: ``ProofError/foreignOrigin(expected:)`` for a checkpoint of another log, ``ProofError/invalidNoteSignature(name:)`` when
    ///   a known key did not make the line that has its name and id, ``ProofError/unsignedCheckpoint(origin:)`` when the log did not
    ///   sign, and ``ProofError/quorumMissed(found:needed:)`` when too few witnesses did.
    public func verify(_ signed: SignedCheckpoint) throws(ProofError) -> CosignedCheckpoint {
        guard signed.checkpoint.origin == origin else { throw .foreignOrigin(expected: origin.string) }
        guard !(try signed.note.signatures(by: logKeys)).isEmpty else {
            throw .unsignedCheckpoint(origin: origin.string)
        }
        // Of several cosignatures of one witness the last one says how late it still held.
        var latest: [NoteVerifierKey: VerifiedSignature] = [:]
        for signature in try signed.note.signatures(by: witnesses) {
            let known = latest[signature.key]?.cosignedSeconds ?? 0
            if signature.cosignedSeconds ?? 0 >= known { latest[signature.key] = signature }
        }
        guard latest.count >= quorum else { throw .quorumMissed(found: latest.count, needed: quorum) }
        return CosignedCheckpoint(signed: signed, cosignatures: witnesses.compactMap { latest[$0] })
    }
}

/// A checkpoint that a policy accepted, with the times at which its witnesses saw it.
public struct CosignedCheckpoint: Sendable, Hashable {
    /// The checkpoint with its note.
    public let signed: SignedCheckpoint
    /// The last cosignature of each witness of the policy that gave one, in the policy's order.
    public let cosignatures: [VerifiedSignature]

    /// The checkpoint.
    public var checkpoint: Checkpoint { signed.checkpoint }
}
