public import EventModel

/// Gives back what was stored: partitions, and events with what they say.
///
/// What decides what somebody is shown, such as `MaskedEvents`, decorates this seam and no other. Whoever reads events also reads which
/// of them were erased. Nothing here locks anything or waits for another machine.
///
/// `EventReadingConformance` in AuditServerTesting checks a store against this contract.
public protocol EventReading: ErasureLog {
    /// Lists events, partitions by age and events by sequence.
    ///
    /// - Parameters:
    ///   - filter: Which events.
    ///   - after: The cursor of the page before, or nil for the first page.
    ///   - limit: The largest number to return.
    ///   - maximumBytes: A bound for the texts of a page, payloads and all others; the first event is returned even if it is
    ///     larger.
    /// - Returns: The events, and where the next page starts.
    /// - Throws: `unavailable` when the storage fails.
    func events(_ filter: EventFilter, after: EventCursor?, limit: Int, maximumBytes: Int) async throws -> EventPage

    /// Returns events by where they lie, in the order of the addresses; one that is not there is left out.
    ///
    /// - Parameters:
    ///   - addresses: Where they lie.
    ///   - maximumBytes: A bound for the texts of all of them; the first event is returned even if it is larger.
    /// - Returns: The events, and how many of the addresses were looked at.
    /// - Throws: `unavailable` when the storage fails.
    /// - Complexity: O(*n*) in the addresses.
    func events(at addresses: [EventAddress], maximumBytes: Int) async throws -> AddressedEvents

    /// Finds where the events with an id lie; an event that a recorder offered twice is found once.
    ///
    /// - Parameter id: The id.
    /// - Returns: The places, more than one when users of their own chose the same id.
    /// - Throws: `unavailable` when the storage fails.
    func addresses(of id: ObjectId) async throws -> [EventAddress]

    /// Returns what is kept of a partition, or nil when nothing is.
    ///
    /// Whoever reads locks nothing and waits for no other machine.
    func partition(_ partition: PartitionID) async throws -> PartitionRecord?

    /// Lists partitions by age.
    ///
    /// - Parameters:
    ///   - after: The last partition of the page before, or nil for the first page.
    ///   - limit: The largest number to return.
    ///   - maximumBytes: A bound for the seals of a page; the first partition is returned even if its seal is larger.
    /// - Returns: The partitions, the oldest first; none when there are no more.
    /// - Throws: `unavailable` when the storage fails.
    func partitions(after: PartitionID?, limit: Int, maximumBytes: Int) async throws -> [PartitionRecord]

    /// Returns what is there of partitions, in their order.
    ///
    /// Read as it is now, without a lock, and also what is not as durable yet as what devices are told.
    ///
    /// - Throws: `unavailable` when the storage fails.
    /// - Complexity: O(*n*) in the events of these partitions, of which none is read.
    func holdings(of partitions: [PartitionID]) async throws -> [PartitionHolding]

    /// Lists the events that came with an id that another event of their owner has, in the order of their arrival.
    ///
    /// - Parameters:
    ///   - number: The last conflict of the page before, or 0 for the first page.
    ///   - limit: The largest number to return.
    /// - Returns: The conflicts; none when there are no more.
    /// - Throws: `unavailable` when the storage fails.
    func conflicts(after number: Int64, limit: Int) async throws -> [EventConflict]
}

extension EventReading {
    /// Lists partitions by age, with at most ``SealPage/maximumBytes`` of seals.
    ///
    /// - Throws: `unavailable` when the storage fails.
    public func partitions(after: PartitionID?, limit: Int) async throws -> [PartitionRecord] {
        try await partitions(after: after, limit: limit, maximumBytes: SealPage.maximumBytes)
    }

    /// Returns events by where they lie, whatever their size; for a few of them.
    ///
    /// - Throws: `unavailable` when the storage fails.
    public func events(at addresses: [EventAddress]) async throws -> [StoredEvent] {
        try await events(at: addresses, maximumBytes: .max).events
    }

    /// Reads the events one by one; a store that can do better has its own.
    public func events(at addresses: [EventAddress], maximumBytes: Int) async throws -> AddressedEvents {
        var found = AddressedEvents()
        for address in addresses {
            guard address.sequence > 0 else {
                found.skip()
                continue
            }
            let page = try await events(
                EventFilter(partition: address.partition, includesRepeated: true),
                after: EventCursor(partition: address.partition, sequence: address.sequence - 1),
                limit: 1,
                maximumBytes: 1
            )
            guard let event = page.events.first, event.sequence == address.sequence else {
                found.skip()
                continue
            }
            guard found.append(event, maximumBytes: maximumBytes) else { break }
        }
        return found
    }

    /// Looks at every event; a store that can do better has its own.
    public func addresses(of id: ObjectId) async throws -> [EventAddress] {
        var found: [EventAddress] = []
        var cursor: EventCursor?
        repeat {
            let page = try await events(EventFilter(), after: cursor, limit: 1000, maximumBytes: 8_388_608)
            for stored in page.events where stored.event?.id == id {
                found.append(EventAddress(partition: stored.partition, sequence: stored.sequence))
            }
            cursor = page.next
        } while cursor != nil
        return found
    }
}
