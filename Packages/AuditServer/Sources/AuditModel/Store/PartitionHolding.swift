/// What a store has of a partition at one moment: what it says of it, and how many of its events are really there.
public struct PartitionHolding: Sendable, Hashable {
    /// What is kept of the partition; nil when nothing is.
    public let record: PartitionRecord?
    /// How many events are there; erased ones count, as their hashes are.
    public let eventCount: UInt64

    /// Describes what a store has.
    public init(record: PartitionRecord?, eventCount: UInt64) {
        self.record = record
        self.eventCount = eventCount
    }
}
