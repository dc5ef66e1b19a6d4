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
    /// Thrown when the key file does not hold a key that this device can use, or others than its owner may read it.
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
    /// Thrown when bytes are not a signed note.
    case malformedNote(reason: String)
    /// Thrown when a text is not the key of a note's signer, or the key is of no use.
    case malformedVerifierKey(reason: String)
    /// Thrown when the text of a note is not a checkpoint.
    case malformedCheckpoint(reason: String)
    /// Thrown when bytes are not a request to a witness.
    case malformedWitnessRequest(reason: String)
    /// Thrown when bytes are not a proof that an entry is in a log.
    case malformedLogProof(reason: String)
    /// Thrown when bytes are not an entry of the log of sealed partitions.
    case malformedLogEntry(reason: String)
    /// Thrown when bytes are not a contradiction of a log.
    case malformedContradiction(reason: String)
    /// Thrown when bytes are no statement that a server's keys were followed by others, or statements do not follow each other.
    case malformedSuccession(reason: String)
    /// Thrown when a text does not register the key of a device: it has another form, or was not signed by device and server.
    case malformedRegistration(reason: String)
    /// Thrown when what a contradiction holds does not contradict itself, or was not signed by whom it accuses.
    case unprovenContradiction(reason: String)
    /// Thrown when an entry is not the one at the place of a log that a proof names.
    case notInLog(index: UInt64)
    /// Thrown when a signature in a note has the name and id of a key that did not make it; nothing of the note is believed.
    case invalidNoteSignature(name: String)
    /// Thrown when a checkpoint is of another log than the one that was asked about.
    case foreignOrigin(expected: String)
    /// Thrown when no key of the log signed a checkpoint.
    case unsignedCheckpoint(origin: String)
    /// Thrown when too few witnesses cosigned a checkpoint.
    case quorumMissed(found: Int, needed: Int)
    /// Thrown when nobody could be believed by what a policy says.
    case unusablePolicy(reason: String)
    /// Thrown when a file of a log is not there.
    case missingTile(path: String)
    /// Thrown when a file of a log has another form than its name says.
    case malformedTile(path: String, reason: String)
    /// Thrown when a file of a log holds other hashes or entries than the checkpoint is over.
    case alteredTile(path: String)
    /// Thrown when at least one of the files that end a log holds other hashes than the checkpoint is over.
    case alteredEdge(paths: [String])
    /// Thrown when a file of a log is there with other bytes; what was there is kept.
    case immutableTile(path: String)
    /// Thrown when an entry is too long for the files of a log; nothing was appended.
    case entryTooLarge(index: UInt64, bytes: Int)
    /// Thrown when a log that was written up to a size is to go on from another one.
    case logMismatch(size: UInt64)
    /// Thrown when an entry, a hash or a proof is asked for that a log does not have.
    case beyondLog(size: UInt64)
    /// Thrown when a file of a log cannot be read or written.
    case tileInaccessible(FileSystemError)
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
        case .malformedNote(let reason):
            "The signed note cannot be read: \(reason)."
        case .malformedVerifierKey(let reason):
            "The key of a note's signer cannot be used: \(reason)."
        case .malformedCheckpoint(let reason):
            "The checkpoint cannot be read: \(reason)."
        case .malformedWitnessRequest(let reason):
            "The request to the witness cannot be read: \(reason)."
        case .malformedLogProof(let reason):
            "The proof that an entry is in a log cannot be read: \(reason)."
        case .malformedLogEntry(let reason):
            "The bytes are no entry of the log of sealed partitions: \(reason)."
        case .malformedContradiction(let reason):
            "The contradiction of a log cannot be read: \(reason)."
        case .malformedSuccession(let reason):
            "The statement of a server about its keys is not to be believed: \(reason)."
        case .malformedRegistration(let reason):
            "The registration of a device's key is not to be believed: \(reason)."
        case .unprovenContradiction(let reason):
            "The contradiction of a log proves nothing: \(reason)."
        case .notInLog(let index):
            "The entry is not the one with index \(index) of the log."
        case .invalidNoteSignature(let name):
            "A signature in the name of \(name) was not made by its key, so nothing of the note is believed."
        case .foreignOrigin(let expected):
            "The checkpoint is of another log than \(expected)."
        case .unsignedCheckpoint(let origin):
            "The checkpoint is not signed by a known key of \(origin)."
        case .quorumMissed(let found, let needed):
            "The checkpoint is cosigned by \(found) of the known witnesses, and \(needed) are needed."
        case .unusablePolicy(let reason):
            "The policy for checkpoints cannot be used: \(reason)."
        case .missingTile(let path):
            "The log's file \(path) is not there."
        case .malformedTile(let path, let reason):
            "The log's file \(path) cannot be read: \(reason)."
        case .alteredTile(let path):
            "The log's file \(path) does not hold what the checkpoint is over."
        case .alteredEdge(let paths):
            "At least one of the log's files \(paths.joined(separator: ", ")) does not hold what the checkpoint is over."
        case .immutableTile(let path):
            "The log's file \(path) is there with other bytes, and is left as it is."
        case .entryTooLarge(let index, let bytes):
            "Entry \(index) of the log has \(bytes) bytes, and a bundle has room for \(EntryBundle.maximumEntryBytes) each."
        case .logMismatch(let size):
            "The log's files end with \(size) entries, and cannot go on from another tree."
        case .beyondLog(let size):
            "The log has \(size) entries, and none of what is asked for."
        case .tileInaccessible(let error):
            "A file of the log cannot be used. \(error)"
        }
    }
}

extension ProofError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
