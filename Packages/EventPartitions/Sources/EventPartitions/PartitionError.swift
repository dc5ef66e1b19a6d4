public import EventModel
public import EventProofs

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can go wrong with event files; paths and byte ranges say where.
@nonexhaustive
public enum PartitionError: Error, Sendable, Equatable {
    /// Thrown when a call of the file system fails; events of an append that throws it may not be durable.
    case fileSystem(FileSystemError)
    /// Thrown when a folder or file must not be used: `..`, a symbolic link, or an id that is no name.
    case unsafePath(String, reason: String)
    /// Thrown when the device key or a signature cannot be used.
    case proof(ProofError)
    /// Thrown when the system's cryptography cannot sign a seal; the partition stays open.
    case unsigned(PartitionID)
    /// Thrown when bytes of a file are not what was written.
    case damaged(path: String, bytes: Range<UInt64>, reason: String)
    /// Thrown when the events of a file are encrypted and no key was given; the file is left as it is.
    case encrypted(path: String)
    /// Thrown when the events of a file were encrypted with another key; the file is left as it is.
    case wrongKey(path: String)
    /// Thrown when the system's cryptography cannot encrypt events; they were not written.
    case notEncrypted(PartitionID)
    /// Thrown when a newer version of Daybook wrote a file; the file is left as it is.
    case newerVersion(path: String, found: Int, known: Int)
    /// Reported when a seal is signed but does not belong to the file that it lies in.
    case sealMismatch(PartitionID, reason: String)
    /// Reported when something on the device is not as it was sealed; what is missing is in the loss ledger.
    case notAsSealed(PartitionFinding)
    /// Thrown when the partition is not among the held ones: deleted, kept aside, or another process's.
    case unknownPartition(PartitionID)
    /// Thrown when a sequence is 0 or more than one behind the last event.
    case sequenceOutOfRange(PartitionID, sequence: UInt64, count: UInt64)
    /// Thrown when a proof speaks of more events than the partition has; nothing is noted.
    case proofBeyondEnd(PartitionID, durableThrough: UInt64, count: UInt64)
    /// Thrown when the server's root differs from ours; nothing is noted.
    case rootMismatch(PartitionID, sequence: UInt64, own: Digest, proven: Digest)
    /// Thrown when a partition is not wholly proven to be stored; nothing is deleted.
    case notDeletable(PartitionID, reason: String)
    /// Thrown by every call after the files were closed.
    case closed
}

extension PartitionError: CustomStringConvertible {
    /// A sentence that says what is wrong and where.
    public var description: String {
        switch self {
        case .fileSystem(let error):
            error.description
        case .unsafePath(let path, let reason):
            "The path \(path) must not be used for event files: \(reason)."
        case .proof(let error):
            error.description
        case .unsigned(let partition):
            "The seal of \(partition) could not be signed."
        case .damaged(let path, let bytes, let reason):
            "The file \(path) is damaged in bytes \(bytes.lowerBound) to \(bytes.upperBound): \(reason)."
        case .encrypted(let path):
            "The events in \(path) are encrypted: open the file with the key that it was written with."
        case .wrongKey(let path):
            "The events in \(path) are encrypted with another key than the given one: open the file with that key."
        case .notEncrypted(let partition):
            "Events of \(partition) could not be encrypted, and were not written."
        case .newerVersion(let path, let found, let known):
            "The file \(path) has version \(found) of the format, and this Daybook reads version \(known): use a newer one."
        case .sealMismatch(let partition, let reason):
            "The seal in the file of \(partition) does not belong to it: \(reason)."
        case .notAsSealed(let finding):
            finding.description
        case .unknownPartition(let partition):
            "The partition \(partition) is not among the files of this folder that this process holds."
        case .sequenceOutOfRange(let partition, let sequence, let count):
            "The sequence \(sequence) is not in \(partition), which holds \(count) events."
        case .proofBeyondEnd(let partition, let durableThrough, let count):
            "The server claims to hold \(durableThrough) events of \(partition), which has \(count)."
        case .rootMismatch(let partition, let sequence, let own, let proven):
            "At sequence \(sequence) of \(partition) the server has the root \(proven), and we have \(own)."
        case .notDeletable(let partition, let reason):
            "The partition \(partition) is kept: \(reason)."
        case .closed:
            "The event files were closed."
        }
    }
}

extension PartitionError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
