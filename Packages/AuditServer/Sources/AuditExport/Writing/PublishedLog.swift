public import EventProofs

/// The log of sealed partitions that a server publishes, as an export carries it.
public struct PublishedLog: Sendable, Hashable {
    /// The key that signs its checkpoints.
    public let key: NoteVerifierKey
    /// The checkpoint that partitions are proven by, with the cosignatures that it has; nil while nothing is published.
    public let checkpoint: SignedCheckpoint?

    /// Names a log.
    public init(key: NoteVerifierKey, checkpoint: SignedCheckpoint?) {
        self.key = key
        self.checkpoint = checkpoint
    }
}
