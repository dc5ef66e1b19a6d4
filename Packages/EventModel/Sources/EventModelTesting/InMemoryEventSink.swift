public import EventModel
import Synchronization

/// A sink that keeps events in memory, in one partition, and fails when a test asks for it.
///
/// Honest otherwise: it passes ``EventSinkConformance``.
public final class InMemoryEventSink: EventSink {
    private struct State {
        var stored: [AuditEvent] = []
        var storedBytes: UInt64 = 0
        var batchSizes: [Int] = []
        var failures: [any Error] = []
        var losses: [LossEntry] = []
        var lookUpFailures: [any Error] = []
        var notingCount = 0
    }

    /// The one partition that events go to.
    public let partition: PartitionID

    private let maximumEventBytes: Int
    private let quota: EventQuota
    private let onAppend: (@Sendable ([AuditEvent]) -> Void)?
    private let state = Mutex(State())

    /// Creates an empty sink.
    ///
    /// - Parameters:
    ///   - partition: The partition that receipts name.
    ///   - maximumEventBytes: The largest encoding that is accepted; a larger event is rejected.
    ///   - quota: How many bytes of encodings are accepted in all; nothing is ever dropped to make room.
    ///   - onAppend: Called at the start of each append, without a lock; a test may block in it.
    public init(
        partition: PartitionID = PartitionID(prefix: "events", id: ObjectId(high: 0, low: 1)),
        maximumEventBytes: Int = .max,
        quota: EventQuota = .unlimited,
        onAppend: (@Sendable ([AuditEvent]) -> Void)? = nil
    ) {
        self.partition = partition
        self.maximumEventBytes = maximumEventBytes
        self.quota = quota
        self.onAppend = onAppend
    }

    /// What was stored, in order.
    public var events: [AuditEvent] { state.withLock { $0.stored } }

    /// The loss ledger: what was refused here, and what callers lost.
    public var losses: [LossEntry] { state.withLock { $0.losses } }

    /// How many events each call brought, also those that failed.
    public var batchSizes: [Int] { state.withLock { $0.batchSizes } }

    /// Makes the next calls throw, one error each; nothing is stored by them.
    public func failNextAppends(with errors: [any Error]) {
        state.withLock { $0.failures.append(contentsOf: errors) }
    }

    /// Makes the next questions for stored events throw, one error each.
    public func failNextLookUps(with errors: [any Error]) {
        state.withLock { $0.lookUpFailures.append(contentsOf: errors) }
    }

    /// Whether somebody wants deletions to be noted now.
    public var notesDeletions: Bool { state.withLock { $0.notingCount > 0 } }

    /// Stores the events that are not too large and that there is room for.
    ///
    /// - Throws: The next error that the test asked for.
    public func append(_ events: [AuditEvent]) throws -> AppendReceipt {
        // The script is read first, so that failures asked for while an append is held concern the next ones.
        let failure: (any Error)? = state.withLock { state in
            state.batchSizes.append(events.count)
            return state.failures.isEmpty ? nil : state.failures.removeFirst()
        }
        onAppend?(events)
        if let failure { throw failure }
        let (sequences, rejections) = state.withLock { store(events, &$0) }
        return AppendReceipt(
            places: sequences.map { [.init(partition: partition, sequences: $0)] } ?? [],
            rejections: rejections
        )
    }

    /// Enters losses in the ledger.
    public func note(_ losses: [LossEntry]) {
        state.withLock { $0.losses.append(contentsOf: losses) }
    }

    /// Finds events among those that were stored; nothing ever goes.
    ///
    /// - Throws: The next error that the test asked for.
    public func storedEvents(among ids: [ClosedRange<ObjectId>]) throws -> Set<ObjectId> {
        let (stored, failure) = state.withLock { state in
            (state.stored.map(\.id), state.lookUpFailures.isEmpty ? nil : state.lookUpFailures.removeFirst())
        }
        if let failure { throw failure }
        return Set(stored.filter { id in ids.contains { $0.contains(id) } })
    }

    /// Counts who wants deletions to be noted.
    public func noteDeletions() -> DeletionNoting {
        state.withLock { $0.notingCount += 1 }
        return DeletionNoting { [self] in state.withLock { $0.notingCount -= 1 } }
    }

    /// Does nothing: whatever is lost is in the ledger already.
    public func enterLosses() {}

    private func store(
        _ events: [AuditEvent],
        _ state: inout State
    ) -> (ClosedRange<UInt64>?, [AppendReceipt.Rejection]) {
        let first = UInt64(state.stored.count) + 1
        guard maximumEventBytes < .max || quota.bytes < .max else {
            state.stored.append(contentsOf: events)
            return (events.isEmpty ? nil : first...UInt64(state.stored.count), [])
        }
        var rejections: [AppendReceipt.Rejection] = []
        var isFull = false
        for (index, event) in events.enumerated() {
            let byteCount = event.encoded.count
            if byteCount > maximumEventBytes {
                rejections.append(.init(index: index, byteCount: byteCount, limit: maximumEventBytes))
            } else if isFull || state.storedBytes + UInt64(byteCount) > quota.bytes {
                isFull = true
                let used = state.storedBytes
                rejections.append(
                    .init(index: index, byteCount: byteCount, usedBytes: used, quota: quota.bytes)
                )
            } else {
                state.stored.append(event)
                state.storedBytes += UInt64(byteCount)
            }
        }
        for (reason, refused) in Dictionary(grouping: rejections, by: \.reason) {
            let instants = refused.map { events[$0.index].timestamp }
            let (earliest, latest) = (instants.min(), instants.max())
            state.losses.append(
                LossEntry(
                    reason: reason,
                    count: UInt64(refused.count),
                    noticed: latest ?? EventInstant(microseconds: 0),
                    first: earliest,
                    last: latest
                )
            )
        }
        let last = UInt64(state.stored.count)
        return (last < first ? nil : first...last, rejections)
    }
}
