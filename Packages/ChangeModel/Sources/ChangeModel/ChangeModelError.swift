#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can be wrong with a change that a device sends, or with bytes that should be changes or entries.
@nonexhaustive
public enum ChangeModelError: Error, Sendable, Equatable {
    /// Thrown when a change, or an entry, does not follow the last one that was taken; nothing was changed.
    case gap(expected: Int, found: Int)
    /// Thrown when a change names a position that its file cannot have; nothing was changed.
    case impossibleBase(base: Int, last: Int, head: Int)
    /// Thrown when bytes are no batch, change or entry; the offset is where that was found.
    case malformed(offset: Int, reason: String)
    /// Thrown when something has more bytes than its limit, before memory is taken for it.
    case tooLarge(bytes: Int, limit: Int)
    /// Thrown when there are more things than their limit, before memory is taken for them.
    case tooMany(count: Int, limit: Int)
    /// Thrown when a page comes, or a snapshot ends, and no snapshot is under way that it could belong to.
    case noSnapshot
    /// Thrown when an exchange with a server failed, in the words of the protocol.
    case failed(SyncFailure)
}

extension ChangeModelError: CustomStringConvertible {
    /// A sentence that says what is wrong and what would be right.
    public var description: String {
        switch self {
        case .gap(let expected, let found):
            "The next number is \(expected), and \(found) came."
        case .impossibleBase(let base, let last, let head):
            "The position \(base) of a change lies outside of those that its file can have, from \(last) to \(head)."
        case .malformed(let offset, let reason): "These bytes are wrong at \(offset). \(reason)"
        case .tooLarge(let bytes, let limit): "Something of \(bytes) bytes is larger than its limit of \(limit)."
        case .tooMany(let count, let limit): "There are \(count) things where at most \(limit) may be."
        case .noSnapshot: "No snapshot is under way that waits for this."
        case .failed(let failure): failure.description
        }
    }
}

extension ChangeModelError: LocalizedError {
    /// The same sentence.
    public var errorDescription: String? { description }
}
