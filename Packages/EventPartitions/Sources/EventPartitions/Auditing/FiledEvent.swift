public import EventModel

/// An event as it lies in a partition's file.
public struct FiledEvent: Sendable, Hashable {
    /// The partition of the file that it was read from.
    public let partition: PartitionID
    /// Its place in the partition; the first event has 1.
    public let sequence: UInt64
    /// The hash of its canonical encoding: its leaf in the partition's tree.
    public let leaf: Digest
    /// The event, decoded and decrypted.
    public let event: AuditEvent
}
