package import AuditModel
package import EventModel

/// What an accepted token says.
package struct CheckedToken: Sendable, Hashable {
    /// Whom it names.
    package let identity: Identity
    /// The id of one that an administrator issued; nil of any other.
    package let id: String?
    /// The session that it came of; nil of one that was issued.
    package let session: SessionStamp?
    /// When its time is over.
    package let expires: EventInstant
}
