public import EventModel
import Synchronization

/// A sink that keeps events in memory, in one partition, and can be told to fail.
///
/// Honest otherwise: it passes ``EventSinkConformance``.
public final class InMemoryEventSink: EventSink {
    private struct State {
        var stored: [AuditEvent] = []
        var batchSizes: [Int] = []
        var failures: [any Error] = []
    }

    /// The one partition that events go to.
    public let partition: PartitionID

    private let maximumEventBytes: Int
    private let onAppend: (@Sendable ([AuditEvent]) -> Void)?
    private let state = Mutex(State())

    /// Creates an empty sink.
    ///
    /// - Parameters:
    ///   - partition: The partition that receipts name.
    ///   - maximumEventBytes: The largest encoding that is accepted; a larger event is rejected.
    ///   - onAppend: Called at the start of each append, without a lock; a test may block in it.
    public init(
        partition: PartitionID = PartitionID(prefix: "events", id: ObjectId(high: 0, low: 1)),
        maximumEventBytes: Int = .max,
        onAppend: (@Sendable ([AuditEvent]) -> Void)? = nil
    ) {
        self.partition = partition
        self.maximumEventBytes = maximumEventBytes
        self.onAppend = onAppend
    }

    /// What was stored, in order.
    public var events: [AuditEvent] { state.withLock { $0.stored } }

    /// How many events each call brought, also those that failed.
    public var batchSizes: [Int] { state.withLock { $0.batchSizes } }

    /// Makes the next calls throw, one error each; nothing is stored by them.
    public func failNextAppends(with errors: [any Error]) {
        state.withLock { $0.failures.append(contentsOf: errors) }
    }

    /// Stores the events that are not too large.
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
        var rejections: [AppendReceipt.Rejection] = []
        var accepted = events
        if maximumEventBytes < .max {
            accepted = []
            for (index, event) in events.enumerated() {
                let byteCount = event.encoded.count
                if byteCount <= maximumEventBytes {
                    accepted.append(event)
                } else {
                    rejections.append(.init(index: index, byteCount: byteCount, limit: maximumEventBytes))
                }
            }
        }
        let sequences: ClosedRange<UInt64>? = state.withLock { [accepted] state in
            guard !accepted.isEmpty else { return nil }
            let first = UInt64(state.stored.count) + 1
            state.stored.append(contentsOf: accepted)
            return first...UInt64(state.stored.count)
        }
        return AppendReceipt(
            places: sequences.map { [.init(partition: partition, sequences: $0)] } ?? [],
            rejections: rejections
        )
    }
}
