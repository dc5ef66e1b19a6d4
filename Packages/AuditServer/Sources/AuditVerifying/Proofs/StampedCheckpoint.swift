public import EventProofs
public import TimeStamping

/// A checkpoint of a log that an authority of time has seen, both verified.
public struct StampedCheckpoint: Sendable, Hashable {
    /// The checkpoint.
    public let checkpoint: Checkpoint
    /// What is proven of it.
    public let stamp: TimeStamp

    /// Puts both together.
    public init(_ checkpoint: Checkpoint, _ stamp: TimeStamp) {
        self.checkpoint = checkpoint
        self.stamp = stamp
    }
}
