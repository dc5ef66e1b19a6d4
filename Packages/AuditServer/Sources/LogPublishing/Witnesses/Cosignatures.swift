import EventModel
import EventProofs

/// The cosignatures that the newest checkpoints have so far, and the newest checkpoint that has enough of them.
struct Cosignatures: Sendable {
    /// For how many checkpoints cosignatures are gathered: a witness that answers later than that is behind.
    static let maximumCheckpoints = 16

    /// Whose cosignatures count, and how many are enough.
    let policy: WitnessPolicy
    /// The newest checkpoint with enough cosignatures; nil while there is none.
    private(set) var cosigned: CosignedCheckpoint?
    /// By size, the smallest first; none is smaller than the one with enough cosignatures.
    private var gathered: [SignedCheckpoint] = []

    /// Begins to gather.
    init(by policy: WitnessPolicy, from cosigned: CosignedCheckpoint? = nil) {
        self.policy = policy
        self.cosigned = cosigned
        gathered = cosigned.map { [$0.signed] } ?? []
    }

    /// Adds a line in the place of the one that the same witness gave before.
    ///
    /// - Parameters:
    ///   - line: What the witness answered.
    ///   - signed: The checkpoint that it was asked for.
    /// - Throws: As ``WitnessPolicy/verify(_:)``, but not when there are too few cosignatures yet; nothing is added then.
    mutating func add(_ line: NoteSignature, to signed: SignedCheckpoint) throws(ProofError) {
        let before = of(signed).note
        let others = before.signatures.filter { $0.keyID != line.keyID || $0.name != line.name }
        let note = try SignedCheckpoint(SignedNote(text: before.text, signatures: others + [line]))
        let isEnough: CosignedCheckpoint?
        do {
            isEnough = try policy.verify(note)
        } catch {
            guard case .quorumMissed = error else { throw error }
            isEnough = nil
        }
        gathered.removeAll { $0.checkpoint == signed.checkpoint }
        let place = gathered.firstIndex { $0.checkpoint.size > signed.checkpoint.size } ?? gathered.endIndex
        gathered.insert(note, at: place)
        if let isEnough, isEnough.checkpoint.size >= cosigned?.checkpoint.size ?? 0 { cosigned = isEnough }
        let least = cosigned?.checkpoint.size ?? 0
        gathered.removeAll { $0.checkpoint.size < least }
        if gathered.count > Self.maximumCheckpoints { gathered.removeFirst() }
    }

    /// Returns a checkpoint with the cosignatures that it has so far.
    func of(_ signed: SignedCheckpoint) -> SignedCheckpoint {
        gathered.first { $0.checkpoint == signed.checkpoint } ?? signed
    }
}
