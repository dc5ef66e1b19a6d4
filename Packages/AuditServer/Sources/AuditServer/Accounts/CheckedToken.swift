import AuditModel
import EventModel

/// What an accepted token says.
struct CheckedToken: Sendable, Hashable {
    /// Whom it names.
    let identity: Identity
    /// The id of one that an administrator issued; nil of any other.
    let id: String?
    /// The session that it came of; nil of one that was issued.
    let session: SessionStamp?
    /// When its time is over.
    let expires: EventInstant
}
