import AuditModel
import EventModel

/// Where and when an entry was written: the event of the auditors' trail that holds it.
///
/// Entries of several servers are in the order of their times; two of one time in that of their ids.
struct EntryPlace: Sendable, Hashable, Comparable {
    /// When it was written, by the clock of the server.
    let time: EventInstant
    /// The id of the event.
    let id: ObjectId
    /// Where the event lies.
    let address: EventAddress

    static func < (left: EntryPlace, right: EntryPlace) -> Bool {
        (left.time, left.id) < (right.time, right.id)
    }
}
