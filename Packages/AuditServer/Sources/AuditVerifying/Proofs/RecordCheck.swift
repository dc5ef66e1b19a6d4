public import AuditModel
import EventModel
public import EventProofs

/// Compares what is shown of a partition with what its device signed, and with the log of sealed partitions.
///
/// ```
///  shown: app, user, count, root, seal, time of receipt
///     │ must be the same
///  signed: the seal, which names app and user │ in the log: app, user, time of receipt, the seal
/// ```
/// Columns are shown and not signed themselves. Where one of them says something else, somebody changed it.
public enum RecordCheck {
    /// Says what differs, each in a sentence without its end; nothing when all is as it should be.
    ///
    /// - Parameters:
    ///   - record: What is shown.
    ///   - entry: What the log says of the partition; nil when nothing.
    /// - Returns: The sentences.
    public static func problems(of record: PartitionRecord, _ entry: PartitionLogEntry?) -> [String] {
        var problems: [String] = []
        if let owner = record.seal?.owner, owner != record.owner {
            problems.append("its device signed for another app or user than it is shown with")
        }
        guard let entry else {
            if record.seal != nil { problems.append("it is sealed and not in the log") }
            return problems
        }
        if entry.owner != record.owner {
            problems.append("it is shown with another app or user than in the log")
        }
        switch record.seal {
        case nil: problems.append("its seal is in the log, and it is shown as open")
        case entry.seal: break
        default: problems.append("its seal is not the one in the log")
        }
        if record.count != entry.seal.count || record.root != entry.seal.root {
            problems.append(
                "the log has \(entry.seal.count) events of it, and it is shown with others or another number"
            )
        }
        if record.received != entry.received { problems.append("its time of receipt is not the one in the log") }
        return problems
    }
}
