import AuditModel
import EventModel
import EventProofs

/// A partition that is stored and waits for its seal.
struct PartitionSealing: Sendable {
    /// What the log is told.
    let partition: SealedPartition
    /// The tree that the seal was found to fit.
    let frontier: MerkleFrontier
    /// What the device is told once it is sealed.
    let proof: DurabilityProof

    /// How many bytes it takes in a statement, about.
    var byteCount: Int { partition.text.utf8.count + 512 }
}
