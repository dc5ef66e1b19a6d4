public import EventModel

/// Brings a search index up to date with its store.
///
/// Storing an upload does not wait for it. Whoever searches first brings it up to date, as far as that goes in the time of one
/// request; the background does the rest.
public protocol SearchFilling: Sendable {
    /// How often ``didStore(_:)`` was called.
    var uploadCount: UInt64 { get }

    /// Enters events that the store has and the index has not, and forgets those that were erased.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - maximumEvents: After how many events to leave the rest for another time; 2 KiB of payload count as one.
    /// - Returns: Whether the index has everything that the store had when it was asked.
    /// - Throws: `unavailable` when the store or the index fails, `CancellationError` when the task was cancelled: what was
    ///   entered until then stays.
    /// - Complexity: O(*n*) in the new events, and in all partitions the first time and after ``invalidate()``.
    @discardableResult
    func refresh(from store: any EventReading, maximumEvents: Int) async throws -> Bool

    /// Notes that an upload was stored, so that a partition has new events.
    func didStore(_ partition: PartitionID)

    /// Notes that any partition may have new events, as when several servers share one store.
    func invalidate()

    /// Makes it an index of events with these masks, whose objects are called as these labels say; one with others is emptied.
    ///
    /// Masked values are not in the index, so that no search, count, list of values or label tells them.
    ///
    /// - Throws: `AuditServerError.unavailable(reason:)` when the index fails.
    func show(by masks: EventMasks, _ labels: ObjectLabels) throws(AuditServerError)

    /// Lets somebody see events before they are entered; there is one at a time, who is not kept alive.
    func observe(by observer: any ArrivalObserver)

    /// Notes that this process erases, so that what goes step by step is forgotten at once, in the end.
    func willErase(_ erasure: Int64)

    /// Notes that this process erases no more, whether the erasure has ended or not.
    func didErase(_ erasure: Int64)
}

extension SearchFilling {
    /// Enters all events that the store has and the index has not.
    ///
    /// - Returns: Whether the index has everything that the store had when it was asked.
    /// - Throws: What ``refresh(from:maximumEvents:)`` throws.
    @discardableResult
    public func refresh(from store: any EventReading) async throws -> Bool {
        try await refresh(from: store, maximumEvents: .max)
    }
}

/// How much is entered into an index at once.
package enum IndexingBudget {
    /// How many events one request enters at most, so that it stays quick.
    package static let request = 500
}
