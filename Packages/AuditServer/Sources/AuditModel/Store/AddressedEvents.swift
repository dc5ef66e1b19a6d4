/// Events that were asked for by where they lie.
public struct AddressedEvents: Sendable, Hashable {
    /// The events that are there.
    public private(set) var events: [StoredEvent] = []
    /// How many of the addresses were looked at; with large events fewer than were asked for, and at least one.
    public private(set) var looked = 0
    private var byteCount = 0

    /// Creates the answer to a question that names no address.
    public init() {}

    /// Notes that nothing lies at the next address.
    public mutating func skip() { looked += 1 }

    /// Adds the event at the next address, unless there would be too many bytes.
    ///
    /// - Returns: Whether it was added.
    public mutating func append(_ event: StoredEvent, maximumBytes: Int) -> Bool {
        let (sum, isOverflow) = byteCount.addingReportingOverflow(event.byteCount)
        guard events.isEmpty || !isOverflow && sum <= maximumBytes else { return false }
        byteCount = sum
        events.append(event)
        looked += 1
        return true
    }

    /// Returns the same with other events in the place of these.
    package func map(_ body: (StoredEvent) -> StoredEvent) -> AddressedEvents {
        var other = self
        other.events = events.map(body)
        return other
    }
}
