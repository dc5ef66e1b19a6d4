#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can be wrong with a change that a device sends.
@nonexhaustive
public enum ChangeModelError: Error, Sendable, Equatable {
    /// Thrown when a change does not follow the last one of its file that was taken; nothing was changed.
    case gap(expected: Int, found: Int)
    /// Thrown when a change names a position that its file cannot have; nothing was changed.
    case impossibleBase(base: Int, last: Int, head: Int)
}

extension ChangeModelError: CustomStringConvertible {
    /// A sentence that says what is wrong and what would be right.
    public var description: String {
        switch self {
        case .gap(let expected, let found):
            "The next change of this file has the number \(expected), and \(found) was sent."
        case .impossibleBase(let base, let last, let head):
            "The position \(base) of a change lies outside of those that its file can have, from \(last) to \(head)."
        }
    }
}

extension ChangeModelError: LocalizedError {
    /// The same sentence.
    public var errorDescription: String? { description }
}
