#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why an object cannot be written as JSON.
@nonexhaustive
public enum SerializationError: Error, Sendable {
    /// Thrown when text is not UTF-8; nothing of the event is written.
    case invalidText(className: String, property: String)
    /// Thrown when a snapshot lacks its collections, links or embedded objects; nothing of the event is written.
    case incompleteSnapshot(className: String)
    /// Thrown when what a class returned for an object is not JSON; nothing of the event is written.
    ///
    /// `offset` is that of the first byte that cannot stand there; the text itself may be user data.
    case malformedRepresentation(className: String, offset: Int)
    /// Thrown when a class threw instead of returning the JSON of an object; nothing of the event is written.
    case representationFailed(className: String, cause: any Error)
}

extension SerializationError: CustomStringConvertible {
    /// A sentence that says what is wrong with which property.
    public var description: String {
        switch self {
        case .invalidText(let className, let property):
            "Property '\(property)' of class '\(className)' holds text that is not UTF-8."
        case .incompleteSnapshot(let className):
            "A snapshot of class '\(className)' was read without its collections, links and embedded objects."
        case .malformedRepresentation(let className, let offset):
            """
            What 'customEventRepresentation()' of class '\(className)' returned is not JSON: it is wrong at byte \(offset).
            """
        case .representationFailed(let className, let cause):
            "The method 'customEventRepresentation()' of class '\(className)' threw '\(type(of: cause))'."
        }
    }
}

extension SerializationError: Equatable {
    /// Whether both say the same; causes are equal when their types are.
    public static func == (left: SerializationError, right: SerializationError) -> Bool {
        left.description == right.description
    }
}

extension SerializationError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
