import Foundation

/// What can be wrong with a file that is to be read as one of the original.
///
/// ```swift
/// do { _ = try OriginalFile(path: path) } catch { print(error.description) }
/// ```
@nonexhaustive
package enum OriginalFileError: Error, Sendable, Equatable {
    /// Thrown when the system does not let the file be read.
    case unreadable(path: String, reason: String)
    /// Thrown when the file is something else; the reason says what it looks like.
    case foreign(looksLike: String)
    /// Thrown when the file has no clear text, as an encrypted one.
    case encrypted
    /// Thrown when the format is older than all that are read.
    case tooOld(format: Int)
    /// Thrown when the format is newer than all that are read.
    case tooNew(format: Int)
    /// Thrown when the file was cut off.
    case cut
    /// Thrown when the file holds something that has no counterpart.
    case unsupported(what: String)
    /// Thrown when a rule of the format is broken; the class is empty where none is concerned.
    case damaged(what: String, className: String)

    /// Says that a rule of the format is broken, wherever that is.
    static func damaged(_ what: StaticString) -> OriginalFileError { .damaged(what: what.description, className: "") }

    /// The same error, with the class that was being read.
    ///
    /// - Parameter className: The name of that class.
    /// - Returns: The error itself if it is another one than of damage, or says a class already.
    package func inside(_ className: String) -> OriginalFileError {
        guard case .damaged(let what, "") = self else { return self }
        return .damaged(what: what, className: className)
    }
}

extension OriginalFileError: CustomStringConvertible {
    /// A sentence that says what is wrong, and one with what to do.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "The file '\(path)' cannot be read: \(reason)."
        case .foreign(let looksLike):
            "The file is none of Realm: it looks like \(looksLike). Name the '.realm' file of the app."
        case .encrypted:
            """
            The file is none of Realm, or it is encrypted: let the app write a copy without a key, with Realm's \
            'writeCopy(toFile:)', and import that.
            """
        case .tooOld(let format):
            """
            The file has Realm's format \(format), which was written before version 10.0: open it once with Realm Swift 10.0 or later, and \
            import it then.
            """
        case .tooNew(let format):
            """
            The file has Realm's format \(format), and up to \(OriginalFile.formats.upperBound) are read: let the app write it with an earlier \
            version of Realm, or update this library.
            """
        case .cut: "The file was cut off: take another copy of it, while no app has it open."
        case .unsupported(let what): "The file cannot be imported: \(what)."
        case .damaged(let what, let className):
            """
            The file is damaged\(className.isEmpty ? "" : " in the class '\(className)'"): \(what). Take another copy of it, while no \
            app has it open.
            """
        }
    }
}

extension OriginalFileError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    package var errorDescription: String? { description }
}
