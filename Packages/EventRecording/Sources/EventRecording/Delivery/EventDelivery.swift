import Dispatch
import EventModel

/// Hands composed events to the sink, all that wait in one call, and finds out what became of each submission.
///
/// When the sink throws, each submission is offered once more by itself, so that one bad neighbour costs the others
/// nothing. An event is thus offered twice at most; ids stay the same, so a sink that had stored it all the same does
/// no harm. What fails twice is given up, counted and reported.
struct EventDelivery: Sendable {
    let sink: any EventSink
    /// Where batches are delivered while the next one is composed, one at a time.
    private let queue = DispatchQueue(label: "daybook.delivery")

    init(sink: any EventSink) {
        self.sink = sink
    }

    /// Delivers events.
    ///
    /// - Parameters:
    ///   - events: The events of all submissions.
    ///   - ranges: Which of them belong to each submission; consecutive, possibly empty.
    /// - Returns: One outcome for each range; that of an empty range is a success, and the sink is not asked.
    func deliver(_ events: [AuditEvent], ranges: [Range<Int>]) -> [DeliveryOutcome] {
        guard !events.isEmpty else { return ranges.map { _ in DeliveryOutcome() } }
        do {
            let receipt = try sink.append(events)
            return outcomes(receipt, ranges: ranges)
        } catch {
            return ranges.map { range in deliverAlone(Array(events[range])) }
        }
    }

    /// Delivers what waits in a batch.
    ///
    /// - Returns: One outcome for each part, of these events alone.
    func deliver(_ batch: inout EventBatch) -> [DeliveryOutcome] {
        let (events, ranges) = batch.take()
        let outcomes = deliver(events, ranges: ranges)
        batch.didDeliver(ranges, outcomes)
        return outcomes
    }

    /// Begins to deliver a full batch on another thread.
    ///
    /// - Parameters:
    ///   - batch: The batch; its events are taken out.
    ///   - noting: Kept with the delivery.
    /// - Returns: The delivery, which must be waited for before the next one begins.
    func begin(_ batch: inout EventBatch, _ noting: DeletionNoting?) -> DeliveryInFlight {
        let (events, ranges) = batch.take()
        return DeliveryInFlight(ranges: ranges, noting: noting, on: queue) { deliver(events, ranges: ranges) }
    }

    private func deliverAlone(_ events: [AuditEvent]) -> DeliveryOutcome {
        guard !events.isEmpty else { return DeliveryOutcome() }
        do {
            let receipt = try sink.append(events)
            return outcome(events.indices, rejections: receipt.rejections[...])
        } catch {
            let instants = events.map(\.timestamp)
            let range = instants.min().flatMap { first in instants.max().map { first...$0 } }
            return DeliveryOutcome(failed: events.count, failedInstants: range, error: error)
        }
    }

    private func outcomes(_ receipt: AppendReceipt, ranges: [Range<Int>]) -> [DeliveryOutcome] {
        var rejections = receipt.rejections.sorted { $0.index < $1.index }[...]
        return ranges.map { range in
            let own = rejections.prefix { $0.index < range.upperBound }
            rejections = rejections.dropFirst(own.count)
            return outcome(range, rejections: own)
        }
    }

    private func outcome(_ range: Range<Int>, rejections: ArraySlice<AppendReceipt.Rejection>) -> DeliveryOutcome {
        DeliveryOutcome(
            persisted: range.count - rejections.count,
            rejected: rejections.count,
            error: error(of: rejections)
        )
    }

    /// Joins refusals in one error; an event that can never be stored comes before a lack of room.
    private func error(of rejections: ArraySlice<AppendReceipt.Rejection>) -> RecordingError? {
        guard let first = rejections.first else { return nil }
        if let large = rejections.first(where: { $0.reason != .quota }) {
            return .eventTooLarge(byteCount: large.byteCount, limit: Int(clamping: large.limit))
        }
        return .quotaExceeded(
            count: rejections.count,
            byteCount: rejections.reduce(0) { $0 + $1.byteCount },
            used: first.usedBytes,
            quota: first.limit
        )
    }
}
