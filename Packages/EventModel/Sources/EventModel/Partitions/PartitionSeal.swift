/// What a device signs when it closes a partition: proof of what the partition holds and of what it lost.
public struct PartitionSeal: Sendable, Hashable, Codable {
    /// The partition.
    public let partition: PartitionID
    /// How many events it holds.
    public let count: UInt64
    /// The root of the tree over all its events.
    public let root: Digest
    /// When its first event happened; nil when it holds none.
    public let first: EventInstant?
    /// When its last event happened; nil when it holds none.
    public let last: EventInstant?
    /// The root of the partition that the same writer sealed before, or nil for the first.
    public let previousRoot: Digest?
    /// What was dropped while the partition was open, and why.
    public let losses: [LossEntry]
    /// The device's Ed25519 public key, 32 bytes.
    public let publicKey: [UInt8]
    /// The Ed25519 signature over the canonical form of all fields above, 64 bytes.
    public let signature: [UInt8]

    /// Creates a seal.
    public init(
        partition: PartitionID,
        count: UInt64,
        root: Digest,
        first: EventInstant?,
        last: EventInstant?,
        previousRoot: Digest?,
        losses: [LossEntry],
        publicKey: [UInt8],
        signature: [UInt8]
    ) {
        self.partition = partition
        self.count = count
        self.root = root
        self.first = first
        self.last = last
        self.previousRoot = previousRoot
        self.losses = losses
        self.publicKey = publicKey
        self.signature = signature
    }
}
