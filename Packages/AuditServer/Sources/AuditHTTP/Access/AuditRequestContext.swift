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
    /// What the route promised to answer later.
    let late = LateAnswer()

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        address = source.channel.remoteAddress?.ipAddress ?? "unknown"
    }
}
