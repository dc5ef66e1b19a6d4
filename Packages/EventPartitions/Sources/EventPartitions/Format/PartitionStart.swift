import EventModel

/// The content of the first frame: what is known when a partition begins.
struct PartitionStart: Codable, Sendable, Hashable {
    /// The partition.
    let partition: PartitionID
    /// When the file was made.
    let created: EventInstant
    /// The root of the partition that the same writer sealed before, or nil.
    let previousRoot: Digest?
    /// The damaged partition whose readable events are stored here again, or nil.
    var salvaged: ObjectId?
}
