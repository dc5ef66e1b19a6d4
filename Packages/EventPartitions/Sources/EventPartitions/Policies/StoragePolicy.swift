public import EventModel

/// How much is kept, for how long, and when it is synced.
public struct StoragePolicy: Sendable, Hashable {
    /// How much may wait, and what happens to more; 512 MiB and refusal by default.
    public var quota: EventQuota
    /// How long closed partitions are kept that wait for no upload; for ever by default.
    ///
    /// Set it for folders without an upload only: nobody asks a server before a partition is deleted for its age or size.
    public var retention: EventRetention
    /// When events are synced; before each append returns by default.
    public var durability: EventDurability

    /// Creates a policy; every value has a default.
    public init(
        quota: EventQuota = EventQuota(),
        retention: EventRetention = .everything,
        durability: EventDurability = .eachCommit
    ) {
        self.quota = quota
        self.retention = retention
        self.durability = durability
    }
}
