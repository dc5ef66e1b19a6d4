import EventModel
import EventProofs

/// A store whose events have no masked values: what everything that shows or searches events reads through.
///
/// What is looked for is compared with what is shown, so that no search tells a masked value. What is not about the content of
/// events is the store's own.
struct MaskedEventStore: EventStore {
    let whole: any EventStore
    private let masks: EventMasks

    init(_ whole: any EventStore, _ masks: EventMasks) {
        self.whole = whole
        self.masks = masks
    }

    func events(_ filter: EventFilter, after: EventCursor?, limit: Int, maximumBytes: Int) async throws -> EventPage {
        try masks.check(filter)
        var filter = filter
        filter.masks = masks
        let page = try await whole.events(filter, after: after, limit: limit, maximumBytes: maximumBytes)
        return EventPage(events: page.events.map { masks.shown($0) }, next: page.next)
    }

    func events(at addresses: [EventAddress], maximumBytes: Int) async throws -> AddressedEvents {
        try await whole.events(at: addresses, maximumBytes: maximumBytes).map { masks.shown($0) }
    }

    // MARK: - What is the store's own

    func accept(_ upload: EventUpload) async throws -> DurabilityProof { try await whole.accept(upload) }

    func record(_ upload: EventUpload) async throws -> DurabilityProof { try await whole.record(upload) }

    func partition(_ partition: PartitionID) async throws -> PartitionRecord? {
        try await whole.partition(partition)
    }

    func acknowledgedPartition(_ partition: PartitionID) async throws -> PartitionRecord? {
        try await whole.acknowledgedPartition(partition)
    }

    func partitions(after: PartitionID?, limit: Int, maximumBytes: Int) async throws -> [PartitionRecord] {
        try await whole.partitions(after: after, limit: limit, maximumBytes: maximumBytes)
    }

    func collections() async throws -> [String] { try await whole.collections() }

    func metadataColumns(of app: String) async throws -> [String]? { try await whole.metadataColumns(of: app) }

    func extendCollection(of app: String, by columns: [String]) async throws {
        try await whole.extendCollection(of: app, by: columns)
    }

    func withLog<T: Sendable>(
        durably: Bool,
        _ body: @escaping @Sendable (StoredMerkleTree<any Error>) throws -> T
    ) async throws -> T {
        try await whole.withLog(durably: durably, body)
    }

    func logEntries(from index: UInt64, limit: Int, maximumBytes: Int) async throws -> [PartitionLogEntry] {
        try await whole.logEntries(from: index, limit: limit, maximumBytes: maximumBytes)
    }

    func logEntry(of partition: PartitionID) async throws -> PartitionLogEntry? {
        try await whole.logEntry(of: partition)
    }

    func deviceKeys(from index: UInt64, limit: Int) async throws -> [DeviceKeyRecord] {
        try await whole.deviceKeys(from: index, limit: limit)
    }

    func stretchEnd(of address: EventAddress) async throws -> StretchEnd? { try await whole.stretchEnd(of: address) }

    func addresses(of id: ObjectId) async throws -> [EventAddress] { try await whole.addresses(of: id) }

    func conflicts(after number: Int64, limit: Int) async throws -> [EventConflict] {
        try await whole.conflicts(after: number, limit: limit)
    }

    func holdings(of partitions: [PartitionID]) async throws -> [PartitionHolding] {
        try await whole.holdings(of: partitions)
    }

    func leaves(of partition: PartitionID, _ sequences: ClosedRange<UInt64>) async throws -> [Digest] {
        try await whole.leaves(of: partition, sequences)
    }

    func hashes(of nodes: [MerkleNode], in partition: PartitionID) async throws -> [Digest] {
        try await whole.hashes(of: nodes, in: partition)
    }
}

// MARK: - Keeping

extension MaskedEventStore {
    func holds() async throws -> [LegalHold] { try await whole.holds() }

    func placeHold(_ name: String, on filter: KeepingFilter, _ act: LegalHold.Act) async throws -> LegalHold {
        try await whole.placeHold(name, on: filter, act)
    }

    func liftHold(_ number: Int64, _ act: LegalHold.Act) async throws -> LegalHold? {
        try await whole.liftHold(number, act)
    }

    func begin(_ order: ErasureOrder) async throws -> ErasureRecord { try await whole.begin(order) }

    func erase(_ addresses: [EventAddress], for erasure: Int64) async throws -> ErasureStep {
        try await whole.erase(addresses, for: erasure)
    }

    func finish(_ erasure: Int64) async throws -> ErasureRecord { try await whole.finish(erasure) }

    func erasures(after number: Int64, limit: Int) async throws -> [ErasureRecord] {
        try await whole.erasures(after: number, limit: limit)
    }

    func ranges(of erasure: Int64) async throws -> ErasedRanges { try await whole.ranges(of: erasure) }
}
