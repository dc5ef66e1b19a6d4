import ChangeModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What went wrong between a realm's file and its server, as the error handler of the sync gets it.
///
/// Nothing is deleted by any of them: the file keeps what it has, and what it did not send.
public struct SyncError: Error, Sendable, Equatable {
    /// The kinds of errors, with the numbers that RealmSwift has for them.
    public enum Code: Int, Sendable, Hashable, CaseIterable {
        /// The session of this realm has a problem.
        case clientSessionError = 4
        /// The user has to sign in.
        case clientUserError = 5
        /// The server sent something that no server sends, or this program did.
        case clientInternalError = 6
        /// The file follows another history than the realm has: it was restored from a backup, or this file is a copy.
        case clientResetError = 7
        /// The user may not do this in the realm.
        case permissionDeniedError = 9
        /// A write was undone; informational.
        case writeRejected = 11
        /// The server cannot be reached.
        case connectionFailed = 12
        /// No secure connection came about.
        case tlsHandshakeFailed = 13
        /// The server warns of something.
        case serverWarning = 14
    }

    /// The file follows another history than the realm has.
    public static let clientResetError = Code.clientResetError
    /// The session of this realm has a problem.
    public static let clientSessionError = Code.clientSessionError
    /// The user has to sign in.
    public static let clientUserError = Code.clientUserError
    /// The server or this program did what none does.
    public static let clientInternalError = Code.clientInternalError
    /// The user may not do this in the realm.
    public static let permissionDeniedError = Code.permissionDeniedError
    /// A write was undone.
    public static let writeRejected = Code.writeRejected
    /// The server cannot be reached.
    public static let connectionFailed = Code.connectionFailed

    /// The kind.
    public let code: Code
    /// A sentence that says what is wrong.
    public let message: String
    /// The objects whose writes were undone; nil for other kinds.
    public let compensatingWriteInfo: [CompensatingWriteInfo]?

    /// Creates an error.
    public init(_ code: Code, _ message: String, compensatingWriteInfo: [CompensatingWriteInfo]? = nil) {
        self.code = code
        self.message = message
        self.compensatingWriteInfo = compensatingWriteInfo
    }
}

extension SyncError {
    /// Says a failure of the protocol in the words of the API.
    init(_ failure: SyncFailure) {
        let code: Code =
            switch failure {
            case .unauthorized: .clientUserError
            case .forbidden: .permissionDeniedError
            case .historyChanged, .fileInUse, .conflict: .clientResetError
            case .unreachable, .busy: .connectionFailed
            case .invalidSchemaChange, .unsupportedVersion, .tooOld, .gap: .clientSessionError
            case .refused: .clientInternalError
            @unknown default: .clientInternalError
            }
        self.init(code, failure.description)
    }

    /// Says which own writes were undone, with one line for each object and reason.
    init(_ writes: [Integrated.RejectedWrite]) {
        var infos: [CompensatingWriteInfo] = []
        for write in writes {
            let info = CompensatingWriteInfo(write)
            if infos.last != info { infos.append(info) }
        }
        self.init(
            .writeRejected,
            "The server did not do \(writes.count) of the writes of this file, which were undone.",
            compensatingWriteInfo: infos
        )
    }
}

extension SyncError: CustomStringConvertible {
    /// The sentence.
    public var description: String { message }
}

extension SyncError: LocalizedError {
    /// The sentence, for apps that show errors to people.
    public var errorDescription: String? { message }
}
