public import EventModel

/// Takes events for good, and says how far they are durable.
///
/// Safe to call from any task, also for one partition at once. Whatever is thrown is an ``AuditServerError``, or
/// `CancellationError` when the calling task was cancelled; nothing was stored then, but of a stretch with a seal perhaps all but the seal.
///
/// ## Implementing
///
/// A store writes a stretch in one transaction and answers after the commit has reached the disk. The rules of what is
/// accepted are in one place, `PartitionLedger`; a store loads it, asks it, and writes what it says. `EventIngestConformance` in
/// AuditServerTesting checks a store against this contract.
public protocol EventIngest: Sendable {
    /// Stores a stretch, wholly or not at all, and returns how far its partition is durable.
    ///
    /// A store may store a seal after the events: when it throws `unavailable` or a cancellation, the events may be there as if they had
    /// come without it, and the same stretch is sealed when it comes again.
    ///
    /// Idempotent for ever: events that are stored already are compared and not stored again. A stretch behind a gap
    /// stores nothing and returns where to resume. An event with the id of another one is stored and listed by
    /// ``EventReading/conflicts(after:limit:)``.
    ///
    /// - Throws: ``AuditServerError`` with `forbidden` for somebody else's partition, `conflict` when an event, the
    ///   root or the seal differs from what is stored at its place, `invalidSchemaChange` when the app has no collection, or that
    ///   lacks a metadata column, and the upload may not extend the schema, and `unavailable` when the storage fails.
    func accept(_ upload: EventUpload) async throws -> DurabilityProof

    /// Stores what the server records itself, as ``accept(_:)`` does.
    ///
    /// Somebody waits for it who only reads. A store that waits for other machines does so for a bounded time, and throws
    /// `unavailable` then; it is not known whether the events are stored.
    func record(_ upload: EventUpload) async throws -> DurabilityProof

    /// Returns what is kept of a partition, or nil, as durable as what ``accept(_:)`` returns: devices delete by it.
    ///
    /// - Throws: `unavailable` when the storage fails, or other machines do not confirm it in a bounded time.
    func acknowledgedPartition(_ partition: PartitionID) async throws -> PartitionRecord?
}

extension EventIngest {
    /// Stores it as everything else; a store that waits for other machines has its own.
    public func record(_ upload: EventUpload) async throws -> DurabilityProof { try await accept(upload) }
}

extension EventIngest where Self: EventReading {
    /// Returns what is there; a store that waits for other machines has its own.
    public func acknowledgedPartition(_ partition: PartitionID) async throws -> PartitionRecord? {
        try await self.partition(partition)
    }
}
