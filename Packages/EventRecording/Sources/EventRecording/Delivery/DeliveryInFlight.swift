import Dispatch
import EventModel
import Synchronization

/// A batch that is being delivered while the next one is composed.
///
/// Composing events and making them durable take about as long; two cores then do it in half the time.
final class DeliveryInFlight: Sendable {
    /// Which of the events belong to each part of the batch.
    let ranges: [Range<Int>]
    /// Goes on until it is noted that the events are stored; nil when nobody has to know.
    let noting: DeletionNoting?
    private let group = DispatchGroup()
    private let outcomes = Mutex<[DeliveryOutcome]>([])

    /// Begins the delivery.
    init(
        ranges: [Range<Int>],
        noting: DeletionNoting?,
        on queue: DispatchQueue,
        _ deliver: @escaping @Sendable () -> [DeliveryOutcome]
    ) {
        self.ranges = ranges
        self.noting = noting
        queue.async(group: group) {
            let result = deliver()
            self.outcomes.withLock { $0 = result }
        }
    }

    /// Blocks until the events are durable or given up.
    ///
    /// - Returns: One outcome for each range.
    func wait() -> [DeliveryOutcome] {
        group.wait()
        return outcomes.withLock { $0 }
    }
}
