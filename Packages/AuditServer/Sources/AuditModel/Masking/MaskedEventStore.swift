package import EventModel
package import EventProofs

/// A store whose events have no masked values: what everything that shows or searches events reads through.
///
/// What is looked for is compared with what is shown, so that no search tells a masked value. What is not about the content of
/// events is the store's own.
package struct MaskedEventStore: EventStore {
    package let whole: any EventStore
    private let masks: EventMasks

    package init(_ whole: any EventStore, _ masks: EventMasks) {
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

    // MARK: - What is the store's own

    package func accept(_ upload: EventUpload) async throws -> DurabilityProof { try await whole.accept(upload) }

    package func record(_ upload: EventUpload) async throws -> DurabilityProof { try await whole.record(upload) }

    package func partition(_ partition: PartitionID) async throws -> PartitionRecord? {
        try await whole.partition(partition)
    }

    package func acknowledgedPartition(_ partition: PartitionID) async throws -> PartitionRecord? {
        try await whole.acknowledgedPartition(partition)
    }

    package func partitions(after: PartitionID?, limit: Int, maximumBytes: Int) async throws -> [PartitionRecord] {
        try await whole.partitions(after: after, limit: limit, maximumBytes: maximumBytes)
    }

    package func collections() async throws -> [String] { try await whole.collections() }

    package func metadataColumns(of app: String) async throws -> [String]? { try await whole.metadataColumns(of: app) }

    package func extendCollection(of app: String, by columns: [String]) async throws {
        try await whole.extendCollection(of: app, by: columns)
    }

    package func withLog<T: Sendable>(
        durably: Bool,
        _ body: @escaping @Sendable (StoredMerkleTree<any Error>) throws -> T
    ) async throws -> T {
        try await whole.withLog(durably: durably, body)
    }

    package func logEntries(from index: UInt64, limit: Int, maximumBytes: Int) async throws -> [PartitionLogEntry] {
        try await whole.logEntries(from: index, limit: limit, maximumBytes: maximumBytes)
    }

    package func logEntry(of partition: PartitionID) async throws -> PartitionLogEntry? {
        try await whole.logEntry(of: partition)
    }

    package func deviceKeys(from index: UInt64, limit: Int) async throws -> [DeviceKeyRecord] {
        try await whole.deviceKeys(from: index, limit: limit)
    }

    package func stretchEnd(of address: EventAddress) async throws -> StretchEnd? {
        try await whole.stretchEnd(of: address)
    }

    package func addresses(of id: ObjectId) async throws -> [EventAddress] { try await whole.addresses(of: id) }

    package func conflicts(after number: Int64, limit: Int) async throws -> [EventConflict] {
        try await whole.conflicts(after: number, limit: limit)
    }

    package func holdings(of partitions: [PartitionID]) async throws -> [PartitionHolding] {
        try await whole.holdings(of: partitions)
    }

    package func leaves(of partition: PartitionID, _ sequences: ClosedRange<UInt64>) async throws -> [Digest] {
        try await whole.leaves(of: partition, sequences)
    }

    package func hashes(of nodes: [MerkleNode], in partition: PartitionID) async throws -> [Digest] {
        try await whole.hashes(of: nodes, in: partition)
    }
}

// MARK: - Keeping

extension MaskedEventStore {
    package func holds() async throws -> [LegalHold] { try await whole.holds() }

    package func placeHold(_ name: String, on filter: KeepingFilter, _ act: LegalHold.Act) async throws -> LegalHold {
        try await whole.placeHold(name, on: filter, act)
    }

    package func liftHold(_ number: Int64, _ act: LegalHold.Act) async throws -> LegalHold? {
        try await whole.liftHold(number, act)
    }

    package func begin(_ order: ErasureOrder) async throws -> ErasureRecord { try await whole.begin(order) }

    package func erase(_ addresses: [EventAddress], for erasure: Int64) async throws -> ErasureStep {
        try await whole.erase(addresses, for: erasure)
    }

    package func finish(_ erasure: Int64) async throws -> ErasureRecord { try await whole.finish(erasure) }

    package func erasures(after number: Int64, limit: Int) async throws -> [ErasureRecord] {
        try await whole.erasures(after: number, limit: limit)
    }

    package func ranges(of erasure: Int64) async throws -> ErasedRanges { try await whole.ranges(of: erasure) }
}
