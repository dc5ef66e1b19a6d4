public import EventModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can be wrong with a seal or with the key that signs it.
@nonexhaustive
public enum ProofError: Error, Sendable, Equatable {
    /// Thrown when the key file cannot be read or made; nothing was signed.
    case keyInaccessible(FileSystemError)
    /// Thrown when the key file does not hold 32 bytes of a key, or others than its owner may read it.
    case keyMalformed(path: String, reason: String)
    /// Thrown when the signature does not belong to the fields of the seal or to its key.
    case invalidSignature(partition: PartitionID)
    /// Thrown when a seal speaks of another number of events than there are.
    case countMismatch(partition: PartitionID, sealed: UInt64, found: UInt64)
    /// Thrown when a seal speaks of other events than there are.
    case rootMismatch(partition: PartitionID, sealed: Digest, found: Digest)
    /// Thrown when an event is not in the tree at the place that a proof names.
    case notIncluded(partition: PartitionID, sequence: UInt64)
    /// Thrown when one tree is not the beginning of another one.
    case inconsistent(partition: PartitionID, first: UInt64, second: UInt64)
    /// Thrown when the key of a device is asked for and nothing was signed.
    case unsealed(partition: PartitionID)
    /// Thrown when something is signed with another key than that of the device.
    case unknownKey(partition: PartitionID)
    /// Thrown when the signature does not belong to the fields of a server's receipt or to its key.
    case invalidReceipt(partition: PartitionID)
    /// Thrown when the signature does not belong to the fields of a tree head or to its key.
    case invalidTreeHead(size: UInt64)
}

extension ProofError: CustomStringConvertible {
    /// A sentence that says what does not fit.
    public var description: String {
        switch self {
        case .keyInaccessible(let error):
            "The device key cannot be used. \(error)"
        case .keyMalformed(let path, let reason):
            "The device key at \(path) cannot be used: \(reason)."
        case .invalidSignature(let partition):
            "The signature of the seal of \(partition) does not belong to what the seal says."
        case .countMismatch(let partition, let sealed, let found):
            "The seal of \(partition) speaks of \(sealed) events, and there are \(found)."
        case .rootMismatch(let partition, let sealed, let found):
            "The seal of \(partition) has the root \(sealed), and the events have the root \(found)."
        case .notIncluded(let partition, let sequence):
            "The event is not the one with sequence \(sequence) of \(partition)."
        case .inconsistent(let partition, let first, let second):
            "The first \(first) events of \(partition) are not the beginning of its \(second) events."
        case .unsealed(let partition):
            "The partition \(partition) has no seal, so no device answers for it."
        case .unknownKey(let partition):
            "The seal of \(partition) was signed with another key than the device's."
        case .invalidReceipt(let partition):
            "The signature of the server's receipt for \(partition) does not belong to what the receipt says."
        case .invalidTreeHead(let size):
            "The signature of the server's tree head over \(size) partitions does not belong to what the head says."
        }
    }
}

extension ProofError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
