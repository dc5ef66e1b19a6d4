#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can be wrong with a query.
@nonexhaustive
public enum QueryError: Error, Sendable, Equatable {
    /// Thrown when the text of a predicate does not follow the grammar; the position counts characters from 0.
    case syntax(position: Int, token: String, expected: String)
    /// Thrown when a predicate's text has more placeholders than arguments were given.
    case missingArgument(position: Int, given: Int)
    /// Thrown when a predicate's text has fewer placeholders than arguments were given.
    case unusedArguments(used: Int, given: Int)
    /// Thrown when an argument is of a type that its placeholder cannot stand for; the value may be user data.
    case unsupportedArgument(index: Int, type: String, expected: String)
    /// Thrown when a class is not part of the schema.
    case unknownClass(String, suggestion: String?)
    /// Thrown when a class has no property of a name.
    case unknownProperty(path: String, component: String, className: String, suggestion: String?)
    /// Thrown when a path exists but cannot be used like this.
    case invalidPath(path: String, className: String, reason: String)
    /// Thrown when a comparison makes no sense for the type of its term.
    case invalidComparison(path: String, className: String, reason: String)
    /// Thrown when a query is larger than the database can take.
    case tooComplex(className: String, reason: String)
}

extension QueryError: CustomStringConvertible {
    /// A sentence that says what is wrong and where.
    public var description: String {
        switch self {
        case .syntax(let position, let token, let expected):
            "The predicate is wrong at character \(position), '\(token)': \(expected) was expected."
        case .missingArgument(let position, let given):
            "The placeholder at character \(position) has no argument: only \(given) were given."
        case .unusedArguments(let used, let given):
            "The predicate has \(used) placeholders, but \(given) arguments were given."
        case .unsupportedArgument(let index, let type, let expected):
            "Argument \(index + 1) of the predicate is of type \(type): \(expected) was expected."
        case .unknownClass(let name, let suggestion):
            "The schema has no class '\(name)'.\(Self.hint(suggestion))"
        case .unknownProperty(let path, let component, let className, let suggestion):
            "Class '\(className)' has no property '\(component)' (in the path '\(path)').\(Self.hint(suggestion))"
        case .invalidPath(let path, let className, let reason):
            "The path '\(path)' of class '\(className)' cannot be used like this: \(reason)."
        case .invalidComparison(let path, let className, let reason):
            "'\(path)' of class '\(className)' cannot be compared like this: \(reason)."
        case .tooComplex(let className, let reason):
            "The query on class '\(className)' is too complex: \(reason)."
        }
    }

    private static func hint(_ suggestion: String?) -> String {
        suggestion.map { " Did you mean '\($0)'?" } ?? ""
    }
}

extension QueryError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
