public import EventModel

/// Where an event lies: its partition, and its sequence there.
public struct EventAddress: Sendable, Hashable {
    /// The partition.
    public let partition: PartitionID
    /// The place in the partition, from 1.
    public let sequence: UInt64

    /// Names the place of an event.
    public init(partition: PartitionID, sequence: UInt64) {
        self.partition = partition
        self.sequence = sequence
    }
}
