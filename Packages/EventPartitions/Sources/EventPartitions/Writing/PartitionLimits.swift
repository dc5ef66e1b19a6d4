/// How large partitions and events may become.
public struct PartitionLimits: Sendable, Hashable {
    /// The size in bytes that a file does not grow beyond, except by one event and the seal; 256 MiB by default.
    ///
    /// A partition is deleted from the device only as a whole, so this is also how much stays behind at least.
    public var partitionBytes: UInt64

    /// The largest encoding of an event in bytes that is accepted; 15,777,217 by default, what one upload may carry.
    public var eventBytes: Int

    /// Creates limits.
    public init(partitionBytes: UInt64 = 256 << 20, eventBytes: Int = 15_777_217) {
        self.partitionBytes = partitionBytes
        self.eventBytes = eventBytes
    }
}
