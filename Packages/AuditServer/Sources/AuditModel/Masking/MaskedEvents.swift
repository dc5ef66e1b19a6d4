package import EventModel

/// Events without their masked values: what everything that shows or searches events reads through.
///
/// What is looked for is compared with what is shown, so that no search tells a masked value.
package struct MaskedEvents: EventReading {
    /// The events with all of their values, which nobody is shown without a reason.
    private let whole: any EventReading
    private let masks: EventMasks

    package init(_ whole: any EventReading, _ masks: EventMasks) {
        self.whole = whole
        self.masks = masks
    }

    package func events(_ filter: EventFilter, after: EventCursor?, limit: Int, maximumBytes: Int) async throws
        -> EventPage
    {
        try masks.check(filter)
        var filter = filter
        filter.masks = masks
        let page = try await whole.events(filter, after: after, limit: limit, maximumBytes: maximumBytes)
        return EventPage(events: page.events.map { masks.shown($0) }, next: page.next)
    }

    package func events(at addresses: [EventAddress], maximumBytes: Int) async throws -> AddressedEvents {
        try await whole.events(at: addresses, maximumBytes: maximumBytes).map { masks.shown($0) }
    }

    // MARK: - What has no content of events

    package func addresses(of id: ObjectId) async throws -> [EventAddress] { try await whole.addresses(of: id) }

    package func partition(_ partition: PartitionID) async throws -> PartitionRecord? {
        try await whole.partition(partition)
    }

    package func partitions(after: PartitionID?, limit: Int, maximumBytes: Int) async throws -> [PartitionRecord] {
        try await whole.partitions(after: after, limit: limit, maximumBytes: maximumBytes)
    }

    package func holdings(of partitions: [PartitionID]) async throws -> [PartitionHolding] {
        try await whole.holdings(of: partitions)
    }

    package func conflicts(after number: Int64, limit: Int) async throws -> [EventConflict] {
        try await whole.conflicts(after: number, limit: limit)
    }

    package func erasures(after number: Int64, limit: Int) async throws -> [ErasureRecord] {
        try await whole.erasures(after: number, limit: limit)
    }

    package func ranges(of erasure: Int64) async throws -> ErasedRanges { try await whole.ranges(of: erasure) }
}
