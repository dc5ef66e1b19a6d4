public import EventModel

/// What can be wrong with a request, or with the place that the server keeps its data in.
@nonexhaustive
public enum AuditServerError: Error, Sendable, Equatable {
    /// Thrown when a token is missing, damaged, expired or of the wrong kind.
    case unauthorized(reason: String)
    /// Thrown when the role or the user of a token does not allow the request.
    case forbidden(reason: String)
    /// Thrown when a stretch contradicts what is stored; nothing of it is stored.
    case conflict(partition: PartitionID, sequence: UInt64, reason: String)
    /// Thrown when an event has a metadata column that the collection lacks and may not get; nothing is stored.
    case invalidSchemaChange(column: String, reason: String)
    /// Thrown when a body exceeds the limit, in bytes.
    case tooLarge(limit: Int)
    /// Thrown when a request is malformed, or asks for what the server does not do.
    case rejected(reason: String)
    /// Thrown when nothing is served at a path.
    case notFound
    /// Thrown when an e-mail address is registered already.
    case nameInUse
    /// Thrown when somebody asks too often; the same request works later.
    case tooManyRequests(retryAfterSeconds: Int)
    /// Thrown when the store cannot answer now; the same request may work later.
    case unavailable(reason: String)
    /// Thrown when a file or folder of the server cannot be made or used.
    case inaccessible(path: String, reason: String)
    /// Thrown when the address cannot be listened on.
    case cannotListen(host: String, port: Int, reason: String)
}

extension AuditServerError {
    /// The code that the answer carries; the client decides by it what to do next.
    public var code: TransportError.Code {
        switch self {
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .conflict: .conflict
        case .invalidSchemaChange: .invalidSchemaChange
        case .tooLarge: .tooLarge
        case .rejected, .notFound, .nameInUse: .rejected
        case .unavailable, .inaccessible, .cannotListen, .tooManyRequests: .unavailable
        }
    }
}

extension AuditServerError: CustomStringConvertible {
    /// A sentence that says what is wrong, without anybody's data.
    public var description: String {
        switch self {
        case .unauthorized(let reason):
            "The token is not accepted: \(reason)."
        case .forbidden(let reason):
            "The request is not allowed: \(reason)."
        case .conflict(let partition, let sequence, let reason):
            "The stretch contradicts partition \(partition) at event \(sequence): \(reason)."
        case .invalidSchemaChange(let column, let reason):
            "Invalid schema change: the collection has no column '\(column)', and \(reason)."
        case .tooLarge(let limit):
            "The body is larger than \(limit) bytes."
        case .rejected(let reason):
            "The request is refused: \(reason)."
        case .notFound:
            "Nothing is served at this path."
        case .nameInUse:
            "The address is registered already."
        case .tooManyRequests(let seconds):
            "There were too many requests; try again in \(seconds) seconds."
        case .unavailable(let reason):
            "The server cannot answer now: \(reason)."
        case .inaccessible(let path, let reason):
            "The server cannot use \(path): \(reason)."
        case .cannotListen(let host, let port, let reason):
            "The server cannot listen on \(host) port \(port): \(reason)."
        }
    }
}
