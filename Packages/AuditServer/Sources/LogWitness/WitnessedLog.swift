public import EventModel
public import EventProofs

/// What a witness knows of a log.
public struct WitnessedLog: Sendable, Hashable {
    /// Two checkpoints of one size that a log signed with different roots: it showed two histories.
    ///
    /// Anybody who knows the log's key can check that.
    public struct Contradiction: Sendable, Hashable {
        /// The one that the witness cosigned.
        public let cosigned: SignedCheckpoint
        /// The one that it was shown later.
        public let shown: SignedCheckpoint
    }

    /// The log's identity.
    public let origin: ExactText
    /// The keys that the log signs with.
    public internal(set) var keys: [NoteVerifierKey]
    /// The checkpoint that was cosigned last, with the log's own signatures; nil before the first one.
    public internal(set) var last: SignedCheckpoint?
    /// When that was, in seconds since 1970 by the witness's clock.
    public internal(set) var cosignedSeconds: UInt64 = 0
    /// The first contradiction that the log was caught in; nil as long as there is none.
    public internal(set) var contradiction: Contradiction?

    /// Describes a log of which nothing was seen yet.
    init(origin: ExactText, key: NoteVerifierKey) {
        self.origin = origin
        keys = [key]
    }

    /// When the last checkpoint was cosigned; nil before the first one.
    public var cosigned: EventInstant? {
        guard last != nil else { return nil }
        return EventInstant(microseconds: Int64(clamping: cosignedSeconds * 1_000_000))
    }

    /// The size of the checkpoint that was cosigned last; 0 before the first one.
    public var size: UInt64 { last?.checkpoint.size ?? 0 }

    /// The root of that checkpoint.
    public var root: Digest { last?.checkpoint.root ?? MerkleHash.empty }
}
