/// Why an exchange with a server failed, in the words of the protocol.
///
/// It is a value and no error of its own: a module throws one type, and ``ChangeModelError/failed(_:)`` carries it. What
/// a client does about it is a property of the word, not of who said it.
@nonexhaustive
public enum SyncFailure: Sendable, Hashable {
    /// The server was not reached, or its answer was lost; it may have done what was asked.
    case unreachable
    /// The token is not valid any more; a new one is needed.
    case unauthorized
    /// The user may not read, or write, this realm; nothing was done.
    case forbidden
    /// The realm has another history: it was restored from a backup, or begun anew.
    case historyChanged
    /// Entries up to the floor are gone, and the file is below it: it takes a snapshot and keeps what is pending.
    case tooOld(floor: Int)
    /// A change before those that were sent is missing.
    case gap(expected: Int)
    /// The server has another change under the same number of this file.
    case conflict
    /// Another copy of this file has sent changes.
    case fileInUse
    /// The schema of the client does not fit that of the server; a sentence for each difference.
    case invalidSchemaChange([String])
    /// The server has too much to do; nothing was done. Seconds after which to ask again.
    case busy(retryAfterSeconds: Int)
    /// The server speaks other versions of the protocol.
    case unsupportedVersion
    /// The server says that what it was sent is wrong or too large: a fault of a program, which another try does not mend.
    case refused(String)
}

extension SyncFailure {
    /// Whether asking for the same thing again, later, may succeed without anybody doing anything.
    public var isRetryable: Bool {
        switch self {
        // The network comes back.
        case .unreachable: true
        // The server says when.
        case .busy: true
        // Somebody signs in, changes a rule, resets the file or updates a program.
        case .unauthorized, .forbidden, .historyChanged, .tooOld, .gap, .conflict, .fileInUse, .invalidSchemaChange,
            .unsupportedVersion, .refused:
            false
        }
    }
}

extension SyncFailure: CustomStringConvertible {
    /// A sentence that says what is wrong.
    public var description: String {
        switch self {
        case .unreachable: "The server of the realm was not reached."
        case .unauthorized: "The token is not valid any more."
        case .forbidden: "The user may not do this in the realm."
        case .historyChanged: "The realm on the server has another history."
        case .tooOld(let floor): "The server has no entries up to \(floor) any more."
        case .gap(let expected): "The server expects the change \(expected) of this file."
        case .conflict: "The server has another change under this number."
        case .fileInUse: "Another copy of this file has sent changes."
        case .invalidSchemaChange(let sentences): sentences.joined(separator: " ")
        case .busy(let seconds): "The server is busy for another \(seconds) seconds."
        case .refused(let message): "The server refuses what this program sent. \(message)"
        case .unsupportedVersion: "The server does not speak this version of the protocol."
        }
    }
}
