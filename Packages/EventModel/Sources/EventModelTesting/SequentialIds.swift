public import EventModel
import Synchronization

/// Object ids that count up from one, so that a test can name them.
public final class SequentialIds: ObjectIdSource {
    private let last: Mutex<UInt32>

    /// Creates a source.
    ///
    /// - Parameter first: The low part of the first id.
    public init(first: UInt32 = 1) {
        last = Mutex(first - 1)
    }

    /// Returns the next id.
    public func next() -> ObjectId { next(count: 1) }

    /// Returns the first of the next ids.
    public func next(count: Int) -> ObjectId {
        let low = last.withLock { value in
            defer { value += UInt32(count) }
            return value + 1
        }
        return ObjectId(high: 0, low: low)
    }
}
