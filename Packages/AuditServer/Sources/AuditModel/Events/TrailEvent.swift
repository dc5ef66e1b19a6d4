package import EventModel

/// The words of the events that say what auditors and administrators did.
package enum TrailEvent {
    /// The app of these events; no app of a device can have this id, because a path with it names another route.
    package static let app = "daybook/auditors"
    /// The activity of the events that say what an erasure took.
    package static let erased = "erased events"
    /// The prefix of these partitions.
    package static let prefix = "auditors"
    /// The type of these events.
    package static let event = "audit"
    /// The account of these events, as an auditor has none.
    package static let owner = EventOwner(app: app, user: "000000000000000000000000")
}
