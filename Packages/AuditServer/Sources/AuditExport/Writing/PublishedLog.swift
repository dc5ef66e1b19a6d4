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

/// The checkpoints of a published log that an authority of time has seen.
package protocol StampedCheckpoints: Sendable {
    /// How many entries they have, in order.
    func sizes() throws -> [UInt64]

    /// The checkpoint of so many entries, and what the authority answered; nil when there is none.
    func files(of size: UInt64) throws -> (checkpoint: [UInt8], reply: [UInt8])?
}
