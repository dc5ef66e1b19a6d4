public import AuditModel
public import EventModel

/// A store whose leaf hashes are read only when a test lets them through, as in the middle of an export.
public struct GatedEventStore: ForwardingEventStore {
    /// The other store.
    public let inner: any AuditStore
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let passes: AsyncStream<Void>
    private let pass: AsyncStream<Void>.Continuation

    /// Shows another store.
    public init(_ inner: any AuditStore) {
        self.inner = inner
        (arrivals, arrival) = AsyncStream.makeStream()
        (passes, pass) = AsyncStream.makeStream()
    }

    /// Returns when somebody else has come to the gate.
    public func waitForArrival() async {
        for await _ in arrivals { return }
    }

    /// Lets one through, now or when it comes.
    public func open() { pass.yield() }

    /// Returns what the other store has, once it is let through or its task is cancelled.
    public func leaves(of partition: PartitionID, _ sequences: ClosedRange<UInt64>) async throws -> [Digest] {
        arrival.yield()
        for await _ in passes { break }
        return try await inner.leaves(of: partition, sequences)
    }
}
