public import AuditModel
public import EventModel
public import EventProofs

/// A store that answers every call with one error.
public struct FailingEventStore: AuditStore {
    private let error: AuditServerError

    /// Creates a store that fails.
    public init(_ error: AuditServerError) {
        self.error = error
    }

    /// Throws.
    public func accept(_ upload: EventUpload) async throws -> DurabilityProof { throw error }

    /// Throws.
    public func partition(_ partition: PartitionID) async throws -> PartitionRecord? { throw error }

    /// Throws.
    public func partitions(
        after: PartitionID?,
        limit: Int,
        maximumBytes: Int
    ) async throws -> [PartitionRecord] { throw error }

    /// Throws.
    public func events(
        _ filter: EventFilter,
        after: EventCursor?,
        limit: Int,
        maximumBytes: Int
    ) async throws -> EventPage { throw error }

    /// Throws.
    public func collections() async throws -> [String] { throw error }

    /// Throws.
    public func metadataColumns(of app: String) async throws -> [String]? { throw error }

    /// Throws.
    public func extendCollection(of app: String, by columns: [String]) async throws { throw error }

    /// Throws.
    public func withLog<T: Sendable>(
        durably: Bool,
        _ body: @escaping @Sendable (StoredMerkleTree<any Error>) throws -> T
    ) async throws -> T { throw error }

    /// Throws.
    public func logEntries(
        from index: UInt64,
        limit: Int,
        maximumBytes: Int
    ) async throws -> [PartitionLogEntry] { throw error }

    /// Throws.
    public func logEntry(of partition: PartitionID) async throws -> PartitionLogEntry? { throw error }

    /// Throws.
    public func deviceKeys(from index: UInt64, limit: Int) async throws -> [DeviceKeyRecord] { throw error }

    /// Throws.
    public func conflicts(after number: Int64, limit: Int) async throws -> [EventConflict] { throw error }

    /// Throws.
    public func holdings(of partitions: [PartitionID]) async throws -> [PartitionHolding] { throw error }

    /// Throws.
    public func hashes(of nodes: [MerkleNode], in partition: PartitionID) async throws -> [Digest] { throw error }
}

// MARK: - Keeping

extension FailingEventStore {
    /// Throws.
    public func holds() async throws -> [LegalHold] { throw error }

    /// Throws.
    public func placeHold(_ name: String, on filter: KeepingFilter, _ act: LegalHold.Act) async throws -> LegalHold {
        throw error
    }

    /// Throws.
    public func liftHold(_ number: Int64, _ act: LegalHold.Act) async throws -> LegalHold? { throw error }

    /// Throws.
    public func begin(_ order: ErasureOrder) async throws -> ErasureRecord { throw error }

    /// Throws.
    public func erase(_ addresses: [EventAddress], for erasure: Int64) async throws -> ErasureStep { throw error }

    /// Throws.
    public func finish(_ erasure: Int64) async throws -> ErasureRecord { throw error }

    /// Throws.
    public func erasures(after number: Int64, limit: Int) async throws -> [ErasureRecord] { throw error }

    /// Throws.
    public func ranges(of erasure: Int64) async throws -> ErasedRanges { throw error }
}
