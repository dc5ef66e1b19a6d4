#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Realm {
    /// What can go wrong with a realm file, its schema or the data that a program hands over.
    ///
    /// Each code is also a static member, to be used as a catch pattern:
    /// ```swift
    /// do { _ = try Realm(configuration: configuration) } catch Realm.Error.fileNotFound { … }
    /// ```
    public struct Error: Swift.Error, Sendable {
        /// Says which kind of thing went wrong; two errors are equal when their codes are.
        @nonexhaustive
        public enum Code: Int, Sendable, Hashable {
            /// Something that no other code describes, such as SQLite misused from within.
            case fail
            /// The file could not be read or written.
            case fileAccess
            /// The system does not allow this process to use the file.
            case filePermissionDenied
            /// There is a file where none may be, such as at the destination of a copy.
            case fileExists
            /// There is no file, and it may not or cannot be created.
            case fileNotFound
            /// The file has an older format, and may not be brought to the present one.
            case fileFormatUpgradeRequired
            /// The lock file beside the realm cannot be used.
            case incompatibleLockFile
            /// The system has no more memory to map files into.
            case addressSpaceExhausted
            /// The file has another schema than the program.
            case schemaMismatch
            /// The file is open, in this or another process, and cannot be deleted, opened otherwise or migrated.
            case alreadyOpen
            /// A value, a class or a configuration breaks a rule.
            case invalidInput
            /// The disk is full.
            case outOfDiskSpace
            /// The file was written by a newer version of this library.
            case unsupportedFileFormatVersion
            /// A subscription to objects of a server failed.
            case subscriptionFailed
            /// An operation of the file system failed.
            case fileOperationFailed
            /// The file is not a realm, or it is damaged.
            case invalidDatabase
            /// The file has another history of changes than its counterpart.
            case incompatibleHistories
            /// An object with the same primary key exists.
            case objectAlreadyExists
        }

        /// Which kind of thing went wrong.
        public let code: Code
        /// A full sentence that says what is wrong, without user data.
        public let message: String
        /// The file, when one is concerned.
        public let fileURL: URL?
        /// The single findings, such as each difference of a schema or the result code of SQLite.
        ///
        /// They may hold user data, such as a primary key.
        public let details: [String]
        /// The extended result code of SQLite; nil when something else went wrong.
        let sqliteCode: Int32?

        /// Creates an error.
        public init(_ code: Code, _ message: String, fileURL: URL? = nil, details: [String] = []) {
            self.init(code, message, fileURL: fileURL, details: details, sqliteCode: nil)
        }

        /// Creates an error as those of Foundation are, for tests and for code that hands one on.
        ///
        /// - Parameters:
        ///   - code: Which kind of thing went wrong.
        ///   - userInfo: `NSLocalizedDescriptionKey` has the message, which else names the code, and `NSURLErrorKey` the file.
        public init(_ code: Code, userInfo: [String: Any] = [:]) {
            self.init(
                code,
                userInfo["NSLocalizedDescription"] as? String ?? "The realm failed with the code \(code).",
                fileURL: userInfo["NSURL"] as? URL
            )
        }

        init(_ code: Code, _ message: String, fileURL: URL?, details: [String], sqliteCode: Int32?) {
            self.code = code
            self.message = message
            self.fileURL = fileURL
            self.details = details
            self.sqliteCode = sqliteCode
        }
    }
}

extension Realm.Error: Equatable {
    /// Whether both have the same code.
    public static func == (left: Realm.Error, right: Realm.Error) -> Bool { left.code == right.code }
}

extension Realm.Error: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension Realm.Error: LocalizedError {
    /// The message, for apps that show errors to people.
    public var errorDescription: String? { message }
}

// MARK: - Catch patterns

extension Realm.Error {
    /// Matches ``Code/fail``.
    public static let fail = Code.fail
    /// Matches ``Code/fileAccess``.
    public static let fileAccess = Code.fileAccess
    /// Matches ``Code/filePermissionDenied``.
    public static let filePermissionDenied = Code.filePermissionDenied
    /// Matches ``Code/fileNotFound``.
    public static let fileNotFound = Code.fileNotFound
    /// Matches ``Code/schemaMismatch``.
    public static let schemaMismatch = Code.schemaMismatch
    /// Matches ``Code/alreadyOpen``.
    public static let alreadyOpen = Code.alreadyOpen
    /// Matches ``Code/invalidInput``.
    public static let invalidInput = Code.invalidInput
    /// Matches ``Code/outOfDiskSpace``.
    public static let outOfDiskSpace = Code.outOfDiskSpace
    /// Matches ``Code/unsupportedFileFormatVersion``.
    public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
    /// Matches ``Code/fileOperationFailed``.
    public static let fileOperationFailed = Code.fileOperationFailed
    /// Matches ``Code/invalidDatabase``.
    public static let invalidDatabase = Code.invalidDatabase
    /// Matches ``Code/fileExists``.
    public static let fileExists = Code.fileExists
    /// Matches ``Code/fileFormatUpgradeRequired``.
    public static let fileFormatUpgradeRequired = Code.fileFormatUpgradeRequired
    /// Matches ``Code/incompatibleLockFile``.
    public static let incompatibleLockFile = Code.incompatibleLockFile
    /// Matches ``Code/addressSpaceExhausted``.
    public static let addressSpaceExhausted = Code.addressSpaceExhausted
    /// Matches ``Code/subscriptionFailed``.
    public static let subscriptionFailed = Code.subscriptionFailed
    /// Matches ``Code/incompatibleHistories``.
    public static let incompatibleHistories = Code.incompatibleHistories
    /// Matches ``Code/fail``: the name that older programs know.
    public static let callFailed = Code.fail
    /// Matches ``Code/objectAlreadyExists``.
    public static let objectAlreadyExists = Code.objectAlreadyExists
}

/// Returns whether an error is a realm error with this code, which makes codes catch patterns.
public func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool {
    (error as? Realm.Error)?.code == code
}
