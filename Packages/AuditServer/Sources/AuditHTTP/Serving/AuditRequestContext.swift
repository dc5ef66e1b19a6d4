import AuditAccounts
import AuditModel
import EventModel
import Hummingbird
import NIOCore

/// What a request carries through the routes: who makes it.
struct AuditRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who makes the request, once a token was checked.
    var identity: Identity?
    /// The id of the token that an administrator issued; nil of any other.
    var tokenID: String?
    /// Whom that token was issued to, in the administrator's words.
    var tokenName: String?
    /// When the token's time is over.
    var tokenExpires: EventInstant?
    /// The session that the token came of; nil of one that was issued.
    var session: UserSession?
    /// Where the request comes from, as far as the server knows.
    var address: String
    /// The connection.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        address = source.channel.remoteAddress?.ipAddress ?? "unknown"
    }

    /// Returns the user, who alone may upload.
    ///
    /// - Throws: `AuditServerError.forbidden(reason:)` for an auditor.
    func uploader() throws(AuditServerError) -> EventOwner {
        switch identity {
        case .uploader(let owner): return owner
        case .auditor, .reviewer, .administrator: throw .forbidden(reason: "only a user may write events")
        case nil: throw .unauthorized(reason: "there is none")
        }
    }

    /// Returns what the auditor or reviewer who asks may read.
    ///
    /// - Throws: `AuditServerError.forbidden(reason:)` for anybody else.
    func auditor(_ configuration: ServerConfiguration) throws(AuditServerError) -> EventAccess {
        switch identity {
        case .auditor(let apps), .reviewer(let apps): return configuration.served.access(ofAuditorOf: apps)
        case .uploader, .administrator: throw .forbidden(reason: "only an auditor may read")
        case nil: throw .unauthorized(reason: "there is none")
        }
    }

    /// Returns what the reviewer who asks may read, and so may review.
    ///
    /// - Throws: `AuditServerError.forbidden(reason:)` for anybody else, also for an auditor.
    func reviewer(_ configuration: ServerConfiguration) throws(AuditServerError) -> EventAccess {
        switch identity {
        case .reviewer(let apps): return configuration.served.access(ofAuditorOf: apps)
        case .auditor, .uploader, .administrator: throw .forbidden(reason: "only a reviewer may do this")
        case nil: throw .unauthorized(reason: "there is none")
        }
    }

    /// Checks that the request is an administrator's.
    ///
    /// - Throws: `AuditServerError.forbidden(reason:)` for anybody else.
    func requireAdministrator() throws(AuditServerError) {
        switch identity {
        case .administrator: return
        case .uploader, .auditor, .reviewer: throw .forbidden(reason: "only an administrator may do this")
        case nil: throw .unauthorized(reason: "there is none")
        }
    }
}
