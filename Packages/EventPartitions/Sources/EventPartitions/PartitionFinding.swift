public import EventModel

/// Something on the device that is not as this library left it: evidence that somebody, or a disk, changed what was sealed.
///
/// Found when a folder is opened, while it is open, and by `daybook verify --files`. The description is a sentence.
@nonexhaustive
public enum PartitionFinding: Sendable, Hashable {
    /// The file of a partition is gone; how many events it held is nil when it was never sealed.
    case missing(PartitionID, count: UInt64?, path: String)
    /// A file does not hold any more what was sealed in it: it was cut off, or an older one lies in its place.
    case shortened(PartitionID, sealed: UInt64, found: UInt64, path: String)
    /// A file is not the one that was sealed; the reason is the middle of a sentence.
    case changed(PartitionID, path: String, reason: String)
    /// The seal was cut off a file that holds everything else; it is written again, and nothing is signed.
    case unsealed(PartitionID, path: String)
    /// A sealed file lies in the folder that the device's index does not know, although this device sealed it.
    case unknown(PartitionID, path: String)
    /// A file that was deleted, because a server holds it, or the ledger names it, is there again.
    case returned(PartitionID, path: String)
    /// Somebody gave the file the ending of those that are kept aside.
    case renamed(PartitionID, path: String)
    /// The file is another owner's.
    case foreign(PartitionID, owner: EventOwner, path: String)
    /// More partitions are missing from a folder than are still known by name.
    case missingMore(count: UInt64, path: String)
    /// The index of sealed partitions had to be begun anew; the reason is a part of a sentence.
    case indexLost(path: String, reason: String)
    /// A server has signed for a partition that is newer than all that the index of its folder knows.
    case indexBehind(path: String, PartitionID)
    /// The index of sealed partitions says nothing that can be believed; the reason is a part of a sentence.
    case indexUnusable(path: String, reason: String)
}

extension PartitionFinding: CustomStringConvertible {
    /// A sentence that says what was found and where.
    public var description: String {
        switch self {
        case .missing(let partition, let count, let path):
            "The partition \(partition) is gone from \(path), and not by this library: "
                + (count.map { "it held \($0) events." } ?? "it was not sealed yet, and held at least one event.")
        case .shortened(let partition, let sealed, let found, let path):
            "The partition \(partition) was sealed with \(sealed) events, and \(path) holds \(found): it was cut off, or an older "
                + "file lies in its place."
        case .changed(let partition, let path, let reason):
            "The file \(path) is not the one in which \(partition) was sealed: \(reason)."
        case .unsealed(let partition, let path):
            "The seal of \(partition) is not in \(path) any more, where it was written; the events are all there."
        case .unknown(let partition, let path):
            "The index of sealed partitions does not know \(partition), which this device sealed and which lies in \(path): the index "
                + "is older than the file."
        case .returned(let partition, let path):
            "The partition \(partition) was deleted, and a copy of it lies in \(path) again."
        case .renamed(let partition, let path):
            "The partition \(partition) was kept aside as \(path), and not by this library."
        case .foreign(let partition, let owner, let path):
            "The file \(path) of \(partition) belongs to user \(owner.user) of app \(owner.app): put it back into that folder."
        case .missingMore(let count, let path):
            "\(count) more partitions are gone from \(path), and not by this library."
        case .indexBehind(let path, let partition):
            "The index of sealed partitions \(path) does not know \(partition), for which a server has signed: an earlier state of "
                + "the device was put back."
        case .indexUnusable(let path, let reason):
            "The index of sealed partitions \(path) cannot be relied on, because \(reason): which partitions are missing cannot be "
                + "told."
        case .indexLost(let path, let reason):
            "The index of sealed partitions \(path) was begun anew, because \(reason): which partitions are missing from before "
                + "cannot be told here. Compare with the server's log."
        }
    }

    /// The partition that it is about; nil when that is the index.
    public var partition: PartitionID? {
        switch self {
        case .missing(let partition, _, _), .shortened(let partition, _, _, _), .changed(let partition, _, _),
            .unsealed(let partition, _), .unknown(let partition, _), .returned(let partition, _),
            .renamed(let partition, _), .foreign(let partition, _, _), .indexBehind(_, let partition):
            partition
        case .indexLost, .indexUnusable, .missingMore: nil
        }
    }
}
