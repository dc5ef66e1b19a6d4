#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why the sync server does not do what a device asks.
@nonexhaustive
public enum SyncServerError: Error, Sendable, Hashable {
    /// Thrown when nobody ever bound a file to the realm.
    case unknownRealm
    /// Thrown when the realm has no such file, or the salt is not the file's; one answer, so that nobody can guess.
    case unknownFile
    /// Thrown when the file belongs to another user or device.
    case foreignFile
    /// Thrown when a file is a copy, whose original was taken farther.
    case fileInUse
    /// Thrown when the realm has another history than the file, as after a restore.
    case historyChanged
    /// Thrown when entries are asked for that are gone; a new bootstrap begins behind them.
    case tooOld(floor: Int)
    /// Thrown when a position lies behind the newest entry.
    case impossiblePosition(head: Int)
    /// Thrown when an upload has no changes.
    case empty
    /// Thrown when a change before those of an upload is missing; nothing of it is taken.
    case gap(expected: Int)
    /// Thrown when a change names a position where its file cannot have been; nothing of the upload is taken.
    case impossibleBase(change: Int)
    /// Thrown when other bytes were taken under the number of a change; nothing of the upload is taken.
    case conflict(change: Int)
    /// Thrown when the chain or the signature is not the file's; nothing of the upload is taken.
    case forged
    /// Thrown when a device's schema does not fit that of its app; a sentence for each difference.
    case invalidSchemaChange([String])
    /// Thrown when a change sets off more than an entry may hold; nothing of the upload is taken.
    case entryTooLarge(change: Int, limit: Int)
    /// Thrown when too many wait; the same request works later.
    case busy(retryAfterSeconds: Int)
    /// Thrown when the store cannot answer now; the same request may work later.
    case unavailable(reason: String)
}

extension SyncServerError: CustomStringConvertible {
    /// A sentence that says what is wrong, without anybody's data.
    public var description: String {
        switch self {
        case .unknownRealm: "Nobody ever bound a file to this realm."
        case .unknownFile: "The realm has no such file, or its salt is another one."
        case .foreignFile: "The file belongs to another user or device."
        case .fileInUse: "The file is a copy of one that has sent more than it."
        case .historyChanged: "The realm has another history than the file."
        case .tooOld(let floor): "The entries up to \(floor) are gone: begin with the objects of the realm."
        case .impossiblePosition(let head): "The position lies behind the newest entry, which is \(head)."
        case .empty: "An upload has at least one change."
        case .gap(let expected): "The next change of this file has the number \(expected)."
        case .impossibleBase(let change): "The file cannot have been where change \(change) was made."
        case .conflict(let change): "Change \(change) was taken before, and it was another one."
        case .forged: "The chain or the signature of the changes is not the file's."
        case .invalidSchemaChange(let sentences): sentences.joined(separator: " ")
        case .entryTooLarge(let change, let limit):
            "What change \(change) sets off takes more than the \(limit) bytes of an entry: make it smaller, as by deleting in steps."
        case .busy(let seconds): "Too many wait for this realm; try again in \(seconds) seconds."
        case .unavailable(let reason): "The server cannot answer now: \(reason)."
        }
    }
}

extension SyncServerError: LocalizedError {
    /// The same sentence.
    public var errorDescription: String? { description }
}
