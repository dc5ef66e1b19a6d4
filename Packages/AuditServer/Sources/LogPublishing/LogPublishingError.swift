import EventModel
public import EventProofs

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a log is not published any further; what was published stays as it is.
@nonexhaustive
public enum LogPublishingError: Error, Sendable, Equatable {
    /// The store has fewer entries than were published: it was put back to an older copy, or entries were removed.
    case shortened(published: UInt64, found: UInt64)
    /// The store's tree over the published entries has another root: something in it was changed.
    case rewritten(size: UInt64)
    /// The entries of the store do not make the root that it keeps for them.
    case contradictory(size: UInt64)
    /// The folder's checkpoint is of another log, or another key signed it.
    case foreign(origin: String)
    /// The folder's files are not what its checkpoint says, or cannot be read or written.
    case unusable(ProofError)
    /// The checkpoint that witnesses cosigned last is not part of what is published.
    case cosignedElsewhere(size: UInt64)
    /// A witness, or all of them together, cannot be asked as the settings say.
    case unusableWitness(name: String?, reason: String)
    /// The authority of time-stamps cannot be asked as the settings say.
    case unusableAuthority(reason: String)
    /// The bucket cannot be used as the settings say.
    case unusableBucket(reason: String)
}

extension LogPublishingError: CustomStringConvertible {
    /// What is wrong, in a sentence, and what to do.
    public var description: String {
        switch self {
        case .shortened(let published, let found):
            """
            The log has \(found) entries, and \(published) were published: the database was put back to an older copy, or entries were \
            removed. Put the newer copy back; until then nothing is published.
            """
        case .rewritten(let size):
            """
            The first \(size) entries of the log are not those that were published: the database was changed, or is another one. \
            Compare it with a backup; until it is the same, nothing is published.
            """
        case .contradictory(let size):
            """
            The entries of the log, \(size) of them, do not have the root that the database keeps for them: it was changed. Compare it \
            with a backup; until it is the same, nothing is published.
            """
        case .foreign(let origin):
            """
            The folder of the published log has the checkpoint of '\(origin)', which this server's key did not sign: give the server \
            its own folder, or the key that it had.
            """
        case .cosignedElsewhere(let size):
            """
            Witnesses have cosigned \(size) entries of the log, and those that are there now are others or fewer: the database was put \
            back, or changed, and so was the folder of the published log. Keep the folder as it is, and put the newer copy back.
            """
        case .unusableWitness(let name?, let reason): "The witness \(name) cannot be asked: \(reason)."
        case .unusableWitness(nil, let reason): "The witnesses cannot be asked: \(reason)."
        case .unusableAuthority(let reason): "The authority of time-stamps cannot be asked: \(reason)."
        case .unusableBucket(let reason): "The bucket of the log cannot be used: \(reason)."
        case .unusable(let error): "The folder of the published log cannot be used: \(error)"
        }
    }
}

extension LogPublishingError {
    /// The same for everybody who asks whether the server is ready: without where its files are.
    var shown: String {
        guard case .unusable(.tileInaccessible(let error)) = self else { return description }
        return "a file of the folder 'log' cannot be used: \(error.reason)."
    }
}

extension LogPublishingError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
