import ChangeModel

/// How an exchange ended, as far as it matters for what comes next.
enum SyncEnding: Sendable, Equatable {
    /// The server was not reached.
    case unreachable
    /// The server has too much to do, for some seconds.
    case busy(seconds: Int)
    /// The next exchange mends it: it begins with what this one lacked.
    case again
    /// The user has to sign in.
    case unauthorized
    /// Another process, or another session of this one, syncs the file.
    case elsewhere
    /// The file could not be read or written, which may pass.
    case file(SyncError)
    /// Nothing mends it but somebody.
    case fatal(SyncError)

    /// Reads what an exchange threw.
    init(_ error: any Error) {
        switch error {
        case let error as ChangeModelError:
            guard case .failed(let failure) = error else {
                self = .fatal(SyncError(.clientInternalError, "What the server sent is wrong. \(error.description)"))
                return
            }
            self.init(failure)
        case let lie as SyncLie: self = .fatal(SyncError(.clientInternalError, lie.description))
        case is CancellationError: self = .again
        case is SyncedElsewhere: self = .elsewhere
        default: self = .file(SyncError(.clientInternalError, "The realm's file cannot be synced now. \(error)"))
        }
    }

    /// What failed, where the next attempt may mend it; nil where nothing did, where somebody else syncs, and where nothing mends it.
    var passing: SyncError? {
        switch self {
        case .unreachable: SyncError(.unreachable)
        case .busy(let seconds): SyncError(.busy(retryAfterSeconds: seconds))
        case .unauthorized: SyncError(.unauthorized)
        case .file(let error): error
        case .again, .elsewhere, .fatal: nil
        }
    }

    private init(_ failure: SyncFailure) {
        switch failure {
        case .unreachable: self = .unreachable
        case .busy(let seconds): self = .busy(seconds: seconds)
        case .unauthorized: self = .unauthorized
        // The next bind begins with a snapshot, and says what the file has made.
        case .tooOld, .gap: self = .again
        case .forbidden, .historyChanged, .conflict, .fileInUse, .invalidSchemaChange, .unsupportedVersion, .refused:
            self = .fatal(SyncError(failure))
        // A word that this version does not know is no reason to go on as if nothing was.
        @unknown default: self = .fatal(SyncError(failure))
        }
    }
}

/// Thrown when another process, or another session of this one, syncs the file.
struct SyncedElsewhere: Error {}
