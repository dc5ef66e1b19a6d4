public import EventModel

/// What the newest event of a partition says about the device that recorded it.
public struct PartitionCircumstances: Sendable, Hashable, Encodable {
    /// The partition.
    public let partition: String
    /// The metadata columns of the event.
    public let metadata: [String: String]  // TEXT: no event has two keys that Unicode takes for one, see EventUpload.
    /// The run of the device's system.
    public let boot: String?
    /// When it happened, by the device's clock.
    public let newest: EventInstant

    /// Says what is known of a partition.
    public init(
        partition: String,
        metadata: [String: String],  // TEXT: as above.
        boot: String?,
        newest: EventInstant
    ) {
        self.partition = partition
        self.metadata = metadata
        self.boot = boot
        self.newest = newest
    }
}
