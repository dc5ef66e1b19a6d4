public import EventModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can be wrong with a request, or with the place that the server keeps its data in.
@nonexhaustive
public enum AuditServerError: Error, Sendable, Equatable {
    /// Thrown when a token is missing, damaged, expired or of the wrong kind.
    case unauthorized(reason: String)
    /// Thrown when somebody signs in with the wrong password or key; a sentence says so without telling which part is wrong.
    case wrongCredentials(String)
    /// Thrown when the role or the user of a token does not allow the request.
    case forbidden(reason: String)
    /// Thrown when a stretch contradicts what is stored; nothing of it is stored.
    case conflict(partition: PartitionID, sequence: UInt64, reason: String)
    /// Thrown when an app lacks the collection, which the column nil stands for, or a metadata column of an event, and
    /// may not get it; nothing is stored.
    case invalidSchemaChange(column: String?, reason: String)
    /// Thrown when a body exceeds the limit, in bytes.
    case tooLarge(limit: Int)
    /// Thrown when a body takes longer than this many seconds to arrive; the connection is closed.
    case slowBody(seconds: Int)
    /// Thrown when path and headers of a request are too many or too long.
    case headTooLarge
    /// Thrown when a request is malformed, or asks for what the server does not do.
    case rejected(reason: String)
    /// Thrown when something is refused that has a name of its own; the same request may work after so many seconds, if they are given.
    case refused(Refusal, retryAfterSeconds: Int? = nil)
    /// Thrown when nothing is served at a path.
    case notFound
    /// Thrown when what a request names is not there.
    case missing(what: String)
    /// Thrown when an e-mail address is registered already.
    case nameInUse
    /// Thrown when somebody asks too often; the same request works later.
    case tooManyRequests(retryAfterSeconds: Int)
    /// Thrown when events are to be erased that have to stay; nothing is erased.
    case kept(reason: String)
    /// Thrown when the store cannot answer now; the same request may work later.
    case unavailable(reason: String)
    /// Thrown when a file or folder of the server cannot be made or used.
    case inaccessible(path: String, reason: String)
    /// Thrown when the address cannot be listened on.
    case cannotListen(host: String, port: Int, reason: String)
}

extension AuditServerError {
    /// What a store throws when an app has no collection and the upload may not create it.
    package static let missingCollection = invalidSchemaChange(
        column: nil,
        reason: "an administrator creates it, or Development Mode does"
    )

    /// What a store throws when the collection lacks a column and the upload may not add it.
    package static func missingColumn(_ key: String) -> AuditServerError {
        invalidSchemaChange(column: key, reason: "an administrator adds it, or Development Mode does")
    }

    /// What a store throws when the collection has all the columns that it may have.
    package static func tooManyColumns(adding key: String) -> AuditServerError {
        invalidSchemaChange(
            column: key,
            reason: "it has \(EventSchema.maximumMetadataColumns) metadata columns already"
        )
    }

    /// What a store throws when an upload would add a column beyond its limit, or beyond that of every collection.
    package static func tooManyColumns(adding key: String, to count: Int) -> AuditServerError {
        count < EventSchema.maximumMetadataColumns
            ? tooManyDevelopmentColumns(adding: key) : tooManyColumns(adding: key)
    }

    /// What a store throws when the collection has all the columns that Development Mode makes.
    package static func tooManyDevelopmentColumns(adding key: String) -> AuditServerError {
        invalidSchemaChange(
            column: key,
            reason: "Development Mode adds no more; an administrator may, or raises quotas.developmentColumns"
        )
    }

    /// What a store read and cannot have written, in words, so that asking again says the same; nil of other errors.
    package var damage: String? {
        if case .unavailable(let reason) = self, reason.hasSuffix(" is damaged") { reason } else { nil }
    }

    /// The code that the answer carries; the client decides by it what to do next.
    public var code: TransportError.Code {
        switch self {
        case .unauthorized, .wrongCredentials: .unauthorized
        case .forbidden: .forbidden
        case .conflict: .conflict
        case .invalidSchemaChange: .invalidSchemaChange
        case .tooLarge: .tooLarge
        case .slowBody: .unavailable
        case .headTooLarge: .rejected
        case .refused(let refusal, _): refusal.code
        case .rejected, .notFound, .missing, .nameInUse, .kept: .rejected
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
        case .wrongCredentials(let sentence):
            sentence
        case .forbidden(let reason):
            "The request is not allowed: \(reason)."
        case .conflict(let partition, let sequence, let reason):
            "The stretch contradicts partition \(partition) at event \(sequence): \(reason)."
        case .invalidSchemaChange(nil, let reason):
            "Invalid schema change: the app has no collection '\(EventSchema.collectionName)', and \(reason)."
        case .invalidSchemaChange(let column?, let reason):
            "Invalid schema change: the collection has no column '\(column)', and \(reason)."
        case .tooLarge(let limit):
            "The body is larger than \(limit) bytes."
        case .slowBody(let seconds):
            "The body took longer than \(seconds) seconds."
        case .headTooLarge:
            "The path and the headers are too many or too long."
        case .rejected(let reason):
            // The reason may be the sentence of another error.
            "The request is refused: \(reason)\(reason.hasSuffix(".") ? "" : ".")"
        case .refused(let refusal, _):
            refusal.sentence
        case .notFound:
            "Nothing is served at this path."
        case .missing(let what):
            "Not found: \(what)."
        case .nameInUse:
            "The address is registered already."
        case .kept(let reason):
            "The events are kept: \(reason)."
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

extension AuditServerError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
