/// What is known of a partition without reading its events.
public struct PartitionSummary: Sendable, Hashable {
    /// The partition that is described, as it was when it was listed.
    public let partition: PartitionID
    /// How many events it holds.
    public let count: UInt64
    /// Whether it is closed for good.
    public let isSealed: Bool
    /// How many of its events the server has proven to hold.
    public let acknowledgedThrough: UInt64
    /// The size of its file in bytes.
    public let byteCount: UInt64
    /// Why it is kept aside and no longer uploaded; nil when it is healthy.
    public let quarantineReason: String?

    /// Whether the server has proven to hold the seal as well.
    public let isSealAcknowledged: Bool

    /// Creates a summary of what a source knows now.
    public init(
        partition: PartitionID,
        count: UInt64,
        isSealed: Bool,
        acknowledgedThrough: UInt64,
        byteCount: UInt64,
        quarantineReason: String? = nil,
        isSealAcknowledged: Bool = false
    ) {
        self.partition = partition
        self.count = count
        self.isSealed = isSealed
        self.acknowledgedThrough = acknowledgedThrough
        self.byteCount = byteCount
        self.quarantineReason = quarantineReason
        self.isSealAcknowledged = isSealAcknowledged
    }
}
