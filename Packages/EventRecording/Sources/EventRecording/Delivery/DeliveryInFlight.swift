import Dispatch
import Synchronization

/// A batch that is being delivered while the next one is composed.
///
/// Composing events and making them durable take about as long; two cores then do it in half the time.
final class DeliveryInFlight: Sendable {
    /// Which of the events belong to each part of the batch.
    let ranges: [Range<Int>]
    private let group = DispatchGroup()
    private let outcomes = Mutex<[EventDelivery.Outcome]>([])

    /// Begins the delivery.
    init(
        ranges: [Range<Int>],
        on queue: DispatchQueue,
        _ deliver: @escaping @Sendable () -> [EventDelivery.Outcome]
    ) {
        self.ranges = ranges
        queue.async(group: group) {
            let result = deliver()
            self.outcomes.withLock { $0 = result }
        }
    }

    /// Blocks until the events are durable or given up.
    ///
    /// - Returns: One outcome for each range.
    func wait() -> [EventDelivery.Outcome] {
        group.wait()
        return outcomes.withLock { $0 }
    }
}
