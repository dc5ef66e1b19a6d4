package import EventModel

/// Where and when an entry was written: the event of the auditors' trail that holds it.
///
/// Entries of several servers are in the order of their times; two of one time in that of their ids.
package struct EntryPlace: Sendable, Hashable, Comparable {
    /// When it was written, by the clock of the server.
    package let time: EventInstant
    /// The id of the event.
    package let id: ObjectId
    /// Where the event lies.
    package let address: EventAddress

    package init(time: EventInstant, id: ObjectId, address: EventAddress) {
        self.time = time
        self.id = id
        self.address = address
    }

    package static func < (left: EntryPlace, right: EntryPlace) -> Bool {
        (left.time, left.id) < (right.time, right.id)
    }
}
