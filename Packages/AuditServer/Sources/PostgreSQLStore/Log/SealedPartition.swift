import AuditModel
import EventModel
import EventProofs

/// What the log is told of a partition that is sealed.
struct SealedPartition: Sendable {
    /// The seal, whose signature was checked.
    let seal: PartitionSeal
    /// The seal as it is stored.
    let text: String
    /// Whose partition it is.
    let owner: EventOwner
    /// The key of the owner's row.
    let ownerKey: Int64
    /// When the seal was received.
    let received: EventInstant

    /// Describes a partition.
    ///
    /// - Throws: What encoding the seal throws.
    init(_ seal: PartitionSeal, of owner: EventOwner, ownerKey: Int64, received: EventInstant) throws {
        self.seal = seal
        text = try PartitionRow.text(seal)
        self.owner = owner
        self.ownerKey = ownerKey
        self.received = received
    }
}

/// An owner and the root of one of their partitions, by which a later seal names it.
struct PartitionName: Hashable {
    let ownerKey: Int64
    let root: Digest
}
