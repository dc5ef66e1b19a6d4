import AuditModel
import EventModel

/// Somebody who asks about a partition: its owner, who resumes an upload, or an auditor, who compares it.
enum PartitionAsker: Sendable {
    case owner(EventOwner)
    case auditor(EventAccess)

    /// Returns whether they may know of a partition.
    func mayKnow(_ partition: PartitionID, of owner: EventOwner) -> Bool {
        switch self {
        case .owner(let asker): asker == owner
        case .auditor(let access): access.includes(partition, of: owner)
        }
    }
}
