/// A part of a listing.
public struct EventPage: Sendable, Hashable {
    /// The events.
    public let events: [StoredEvent]
    /// Where the next page starts; nil when this is the last.
    public let next: EventCursor?

    /// Creates a page.
    public init(events: [StoredEvent], next: EventCursor?) {
        self.events = events
        self.next = next
    }
}
