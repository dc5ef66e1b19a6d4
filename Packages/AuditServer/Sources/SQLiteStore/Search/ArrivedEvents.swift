import AuditModel
import EventModel

/// New events of a partition that are entered in the search index.
struct ArrivedEvents: Sendable {
    /// The partition.
    let partition: PartitionID
    /// The events in order, behind those that are entered already.
    let events: [StoredEvent]
    /// The public key of the device that sealed the partition; nil while there are more events, or no seal.
    let device: [UInt8]?
}
