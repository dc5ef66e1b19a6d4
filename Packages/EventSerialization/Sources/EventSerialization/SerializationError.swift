/// Why an object cannot be written as JSON.
@nonexhaustive
public enum SerializationError: Error, Sendable, Equatable {
    /// Thrown when text is not UTF-8; nothing of the event is written.
    case invalidText(className: String, property: String)
    /// Thrown when a snapshot lacks its collections, links or embedded objects; nothing of the event is written.
    case incompleteSnapshot(className: String)
}

extension SerializationError: CustomStringConvertible {
    /// A sentence that says what is wrong with which property.
    public var description: String {
        switch self {
        case .invalidText(let className, let property):
            "Property '\(property)' of class '\(className)' holds text that is not UTF-8."
        case .incompleteSnapshot(let className):
            "A snapshot of class '\(className)' was read without its collections, links and embedded objects."
        }
    }
}
