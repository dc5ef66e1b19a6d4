#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can be wrong with a witness's file, or with what is added to it.
@nonexhaustive
public enum WitnessError: Error, Sendable, Equatable {
    /// Thrown when another process has the file; nothing was changed.
    case inUse(path: String)
    /// Thrown when there is no such file.
    case missing(path: String)
    /// Thrown when the file is not one of a witness, or others than its owner may read it.
    case unreadable(path: String, reason: String)
    /// Thrown when there is no room for more of something; nothing was added.
    case tooMany(of: String, limit: Int)
    /// Thrown when a log cannot be added, or a witness cannot have the name.
    case unusable(reason: String)
}

extension WitnessError: CustomStringConvertible {
    /// A sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .inUse(let path):
            "Another process uses the witness \(path); stop 'daybook witness serve' first."
        case .missing(let path):
            "There is no witness \(path); make one with 'daybook witness init'."
        case .unreadable(let path, let reason):
            "The witness \(path) cannot be used: \(reason)."
        case .tooMany(let what, let limit):
            "A witness has room for \(limit) \(what)."
        case .unusable(let reason):
            reason
        }
    }
}

extension WitnessError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
