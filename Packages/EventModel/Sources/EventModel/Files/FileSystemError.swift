#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A call of the file system that failed.
public struct FileSystemError: Error, Sendable, Hashable {
    /// The kinds of calls.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        case makeDirectory
        case open
        case status
        case list
        case rename
        case remove
        case syncDirectory
        case size
        case read
        case write
        case synchronize
        case truncate
        case lock
    }

    /// Which call the system refused.
    public let operation: Operation
    /// The path that it was about.
    public let path: String
    /// The system's error number, such as `ENOSPC`.
    public let code: Int32

    /// Creates an error of a call, with the number that the system gave right after it.
    public init(_ operation: Operation, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }
}

extension FileSystemError: CustomStringConvertible {
    /// A sentence with the call, the path and the number, and one with the ``remedy`` if there is one.
    public var description: String {
        let failure = "The call \(operation.rawValue) failed for \(path) with error number \(code)."
        return remedy.map { "\(failure) \($0)" } ?? failure
    }
}

extension FileSystemError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
