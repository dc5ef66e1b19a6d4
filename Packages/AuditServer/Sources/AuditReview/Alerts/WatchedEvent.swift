package import AuditModel
package import EventModel

/// An event as rules look at it.
package struct WatchedEvent: Sendable {
    /// Where it lies.
    package let address: EventAddress
    /// Whose it is.
    package let owner: EventOwner
    /// The event.
    package let event: AuditEvent
    /// The person, or else the account; also where the person is masked, so that people are still told apart.
    package let person: String
    /// When it was received.
    package let received: EventInstant
    /// The time by the device's clock, within 36,000 years of 1970: a device may say anything, and times are added here.
    package let time: EventInstant

    /// Takes a stored event; nil for one that rules do not look at: damaged, repeated, or of an auditor.
    package init?(_ stored: StoredEvent, personColumn: String?) {
        guard let owner = stored.owner, owner.app != TrailEvent.app, let event = stored.event, !stored.isRepeated
        else { return nil }
        address = EventAddress(partition: stored.partition, sequence: stored.sequence)
        self.owner = owner
        self.event = event
        let named = event.metadata.entries.first { entry in
            personColumn.map { entry.key.hasSameBytes(as: $0) } ?? false
        }?
        .value
        person = named.flatMap { $0 == EventMask.text ? nil : $0 } ?? owner.user
        received = stored.received ?? event.timestamp
        let farthest: Int64 = 1 << 60
        time = EventInstant(microseconds: min(max(event.timestamp.microseconds, -farthest), farthest))
    }
}
