public import EventProofs
public import TimeStamping

/// A time-stamp of the server's log as an export carries it: the checkpoint that an authority of time has seen, and what it answered.
///
/// Both have the form that they should; nothing of them is believed yet.
public struct ExportedTimeStamp: Sendable {
    /// The checkpoint that the time-stamp is of.
    public let signed: SignedCheckpoint
    /// What the authority answered.
    public let token: TimeStampToken
    /// The same as bytes.
    public let reply: [UInt8]
    /// That this checkpoint and the one of the export are of one log; nil when they are of one size.
    public let consistency: ConsistencyProof?

    /// Reads the files of a time-stamp.
    ///
    /// - Parameters:
    ///   - checkpoint: A signed note.
    ///   - reply: What the authority answered, in DER.
    ///   - consistency: What leads from the one checkpoint to the other.
    /// - Throws: `ProofError` or `TimeStampError` when one of them is none.
    public init(checkpoint: [UInt8], reply: [UInt8], consistency: ConsistencyProof?) throws {
        signed = try SignedCheckpoint(checkpoint)
        token = try TimeStampToken(reply)
        self.reply = reply
        self.consistency = consistency
    }

    /// Returns whether one of the two checkpoints is the beginning of the other.
    func fits(_ tree: ExportedTree) -> Bool {
        let stamped = ExportedTree(size: signed.checkpoint.size, root: signed.checkpoint.root)
        guard stamped.size != tree.size else { return consistency == nil && stamped.root == tree.root }
        let (older, newer) = stamped.size < tree.size ? (stamped, tree) : (tree, stamped)
        guard let consistency, older.size > 0, consistency.first == older.size, consistency.second == newer.size else {
            return false
        }
        return consistency.verify(firstRoot: older.root, secondRoot: newer.root)
    }
}

/// What an authority of time was found to say of an export.
public struct ProvenTime: Sendable, Hashable {
    /// How many entries the log had then.
    public let entries: UInt64
    /// How many of the export's partitions are among them.
    public let partitions: UInt64
    /// The time-stamp.
    public let stamp: TimeStamp
}
