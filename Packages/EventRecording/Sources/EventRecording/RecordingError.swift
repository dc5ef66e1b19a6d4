#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can go wrong when events are recorded.
///
/// An error of the place where events are stored is reported as it is, not as one of these.
@nonexhaustive
public enum RecordingError: Error, Sendable {
    /// Reported when a scope is committed or cancelled that is not in progress; nothing changes.
    case scopeNotActive(id: Int)
    /// Reported when the payload of some events could not be made; they are stored with a mark, all others as usual.
    ///
    /// `firstCause` is the error of the first such event, as the encoder threw it.
    case incompleteEvents(count: Int, firstCause: any Error)
    /// Reported when an event is larger than can ever be stored or sent; the event is lost, all others are stored.
    case eventTooLarge(byteCount: Int, limit: Int)
    /// Reported when there is no room for events within the quota; these are lost, and the loss ledger says how many.
    ///
    /// `count` events of `byteCount` bytes in all were refused, while `used` of `quota` bytes were taken. Of a scope, the
    /// first events may be stored.
    case quotaExceeded(count: Int, byteCount: Int, used: UInt64, quota: UInt64)
    /// Reported when the activity or type of an event has more bytes than can be stored; it is recorded, with the name cut.
    case nameTooLong(byteCount: Int, limit: Int)
    /// Reported when the journal of scopes does not hold what was written to it; what can be read of it is stored.
    case damagedJournal(reason: String)
    /// Reported when the realm's file could not keep a write of open scopes together with its transaction.
    case writeNotKept
    /// Reported when an object is recovered whose class makes its JSON itself: the code that ended cannot be asked.
    case representationMissing(className: String)
}

extension RecordingError {
    /// Joins two errors of one submission in one: refusals are added up, of others the first one counts.
    static func joining(_ first: any Error, _ second: (any Error)?) -> any Error {
        guard case .quotaExceeded(let count, let byteCount, let used, let quota) = first as? RecordingError,
            case .quotaExceeded(let more, let moreBytes, _, _) = second as? RecordingError
        else { return first }
        return quotaExceeded(count: count + more, byteCount: byteCount + moreBytes, used: used, quota: quota)
    }
}

extension RecordingError: CustomStringConvertible {
    /// A sentence that says what happened.
    public var description: String {
        switch self {
        case .scopeNotActive(let id):
            "The scope \(id) is not in progress; it may already have been committed or cancelled."
        case .incompleteEvents(let count, let firstCause):
            "\(count) events are stored without their payload, the first because of \(type(of: firstCause))."
        case .eventTooLarge(let byteCount, let limit):
            "An event of \(byteCount) bytes cannot be stored; the largest that can has \(limit) bytes."
        case .quotaExceeded(let count, let byteCount, let used, let quota):
            """
            \(count) events of \(byteCount) bytes were refused: \(used) of \(quota) bytes that may wait are taken. Let the \
            upload go on, raise EventConfiguration.quota, or let its policy drop the oldest events.
            """
        case .nameTooLong(let byteCount, let limit):
            "A name of \(byteCount) bytes is cut to \(limit): put what is long into the payload of the event."
        case .damagedJournal(let reason):
            "The journal of scopes is damaged: \(reason)."
        case .writeNotKept:
            """
            A write is in memory and the journal of scopes only until its event is stored, because the realm's file could not \
            keep it: free some disk space, or write less than 512 MiB in one transaction.
            """
        case .representationMissing(let className):
            "An object of class '\(className)', which represents itself, was recovered after its process ended."
        }
    }
}

extension RecordingError: Equatable {
    /// Whether both say the same; causes are equal when their types are.
    public static func == (left: RecordingError, right: RecordingError) -> Bool {
        left.description == right.description
    }
}

extension RecordingError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
