public import AuditModel
public import EventModel
public import EventProofs

/// A store that answers as another one does, but for what a conforming type says itself.
///
/// What the server records itself goes the way of uploads, so that a type that changes `EventIngest.accept(_:)` changes both.
public protocol ForwardingEventStore: AuditStore {
    /// The other store.
    var inner: any AuditStore { get }
}

extension ForwardingEventStore {
    /// Stores in the other store.
    public func accept(_ upload: EventUpload) async throws -> DurabilityProof { try await inner.accept(upload) }

    /// Changes the other store.
    public func extendCollection(of app: String, by columns: [String]) async throws {
        try await inner.extendCollection(of: app, by: columns)
    }

    /// Returns what the other store has.
    public func events(at addresses: [EventAddress], maximumBytes: Int) async throws -> AddressedEvents {
        try await inner.events(at: addresses, maximumBytes: maximumBytes)
    }

    /// Returns what the other store has.
    public func leaves(of partition: PartitionID, _ sequences: ClosedRange<UInt64>) async throws -> [Digest] {
        try await inner.leaves(of: partition, sequences)
    }

    /// Returns what the other store has.
    public func hashes(of nodes: [MerkleNode], in partition: PartitionID) async throws -> [Digest] {
        try await inner.hashes(of: nodes, in: partition)
    }

    /// Returns what the other store has.
    public func partition(_ partition: PartitionID) async throws -> PartitionRecord? {
        try await inner.partition(partition)
    }

    /// Returns what the other store has.
    public func partitions(
        after: PartitionID?,
        limit: Int,
        maximumBytes: Int
    ) async throws -> [PartitionRecord] {
        try await inner.partitions(after: after, limit: limit, maximumBytes: maximumBytes)
    }

    /// Returns what the other store has.
    public func events(
        _ filter: EventFilter,
        after: EventCursor?,
        limit: Int,
        maximumBytes: Int
    ) async throws -> EventPage {
        try await inner.events(filter, after: after, limit: limit, maximumBytes: maximumBytes)
    }

    /// Returns what the other store has.
    public func stretchEnd(of address: EventAddress) async throws -> StretchEnd? {
        try await inner.stretchEnd(of: address)
    }

    /// Returns what the other store has.
    public func addresses(of id: ObjectId) async throws -> [EventAddress] { try await inner.addresses(of: id) }

    /// Returns what the other store has.
    public func conflicts(after number: Int64, limit: Int) async throws -> [EventConflict] {
        try await inner.conflicts(after: number, limit: limit)
    }

    /// Returns what the other store has.
    public func holdings(of partitions: [PartitionID]) async throws -> [PartitionHolding] {
        try await inner.holdings(of: partitions)
    }

    /// Returns what the other store has.
    public func collections() async throws -> [String] { try await inner.collections() }

    /// Returns what the other store has.
    public func metadataColumns(of app: String) async throws -> [String]? { try await inner.metadataColumns(of: app) }

    /// Returns what the other store has.
    public func withLog<T: Sendable>(
        durably: Bool,
        _ body: @escaping @Sendable (StoredMerkleTree<any Error>) throws -> T
    ) async throws -> T {
        try await inner.withLog(durably: durably, body)
    }

    /// Returns what the other store has.
    public func logEntries(
        from index: UInt64,
        limit: Int,
        maximumBytes: Int
    ) async throws -> [PartitionLogEntry] {
        try await inner.logEntries(from: index, limit: limit, maximumBytes: maximumBytes)
    }

    /// Returns what the other store has.
    public func logEntry(of partition: PartitionID) async throws -> PartitionLogEntry? {
        try await inner.logEntry(of: partition)
    }

    /// Returns what the other store has.
    public func deviceKeys(from index: UInt64, limit: Int) async throws -> [DeviceKeyRecord] {
        try await inner.deviceKeys(from: index, limit: limit)
    }
}

// MARK: - Keeping

extension ForwardingEventStore {
    /// Answers as the other store does.
    public func holds() async throws -> [LegalHold] { try await inner.holds() }

    /// Answers as the other store does.
    public func placeHold(_ name: String, on filter: KeepingFilter, _ act: LegalHold.Act) async throws -> LegalHold {
        try await inner.placeHold(name, on: filter, act)
    }

    /// Answers as the other store does.
    public func liftHold(_ number: Int64, _ act: LegalHold.Act) async throws -> LegalHold? {
        try await inner.liftHold(number, act)
    }

    /// Answers as the other store does.
    public func begin(_ order: ErasureOrder) async throws -> ErasureRecord { try await inner.begin(order) }

    /// Answers as the other store does.
    public func erase(_ addresses: [EventAddress], for erasure: Int64) async throws -> ErasureStep {
        try await inner.erase(addresses, for: erasure)
    }

    /// Answers as the other store does.
    public func finish(_ erasure: Int64) async throws -> ErasureRecord { try await inner.finish(erasure) }

    /// Answers as the other store does.
    public func erasures(after number: Int64, limit: Int) async throws -> [ErasureRecord] {
        try await inner.erasures(after: number, limit: limit)
    }

    /// Answers as the other store does.
    public func ranges(of erasure: Int64) async throws -> ErasedRanges { try await inner.ranges(of: erasure) }
}
