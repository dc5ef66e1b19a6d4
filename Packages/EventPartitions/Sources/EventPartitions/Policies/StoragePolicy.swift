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

    /// How long a partition with events in it stays open; until it is full or the files are closed by default.
    ///
    /// What is not closed is not signed, and no server has its seal. From 15 minutes to a day.
    public var closing: Duration?

    /// Creates a policy; every value has a default.
    public init(
        quota: EventQuota = EventQuota(),
        retention: EventRetention = .everything,
        durability: EventDurability = .eachCommit,
        closing: Duration? = nil
    ) {
        self.quota = quota
        self.retention = retention
        self.durability = durability
        self.closing = closing
    }

    /// Checks the time after which a partition is closed.
    ///
    /// - Throws: `EventModelError.invalidParameter` when it is not from 15 minutes to a day.
    func validate() throws(EventModelError) {
        guard let closing else { return }
        guard (Duration.seconds(15 * 60)...(.seconds(24 * 60 * 60))).contains(closing) else {
            throw .invalidParameter("closing", reason: "\(closing) is not from 15 minutes to a day")
        }
    }
}
