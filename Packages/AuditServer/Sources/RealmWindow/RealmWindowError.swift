public import Foundation

/// Why a realm file cannot be looked into as asked.
@nonexhaustive
public enum RealmWindowError: Error, Sendable, Equatable {
    /// Thrown when the file has no class of a name.
    case missingClass(String, known: [String])
    /// Thrown when a class has no property of a name that one can sort by.
    case missingProperty(String, className: String, known: [String])
    /// Thrown when a condition is not understood; the reason says where.
    case badCondition(String)
    /// Thrown when a line of an import is no object of the file's classes; nothing of the import is in the file.
    case badLine(Int, String)
    /// Thrown when an object that others refer to is in no line; nothing of the import is in the file.
    case missingObject(className: String, firstReferredTo: Int)
    /// Thrown when a file is one of Realm, which is imported before it can be looked into.
    case originalFile(String)
    /// Thrown when a file is encrypted, and no key was given.
    case missingKey(String)
    /// Thrown when there is no file.
    case missingFile(String)
}

extension RealmWindowError: CustomStringConvertible {
    /// A sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .missingClass(let name, let known):
            "The file has no class '\(name)'; it has \(known.isEmpty ? "none" : known.joined(separator: ", "))."
        case .missingProperty(let name, let className, let known):
            "Objects of '\(className)' cannot be sorted by '\(name)'; they can by \(known.joined(separator: ", "))."
        case .badCondition(let reason): "The condition cannot be used: \(reason)"
        case .badLine(let number, let reason):
            "Line \(number) of the import cannot be used: \(reason) Nothing was written."
        case .missingObject(let className, let line):
            """
            Line \(line) of the import refers to an object of '\(className)' that is in no line; export the whole file, or the class \
            with those that it refers to. Nothing was written.
            """
        case .originalFile(let path):
            "The file '\(path)' was written by Realm; bring it over first: daybook realm import '\(path)' --into NEW.realm"
        case .missingKey(let path): "The realm '\(path)' is encrypted; name the file that has its key: --key-file KEY"
        case .missingFile(let path): "There is no file \(path)."
        }
    }
}

extension RealmWindowError: LocalizedError {
    /// The same sentence, for programs that show errors to people.
    public var errorDescription: String? { description }
}
