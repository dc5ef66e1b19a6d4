import EventModel
import Synchronization

/// A clock that shows the time at which it was made until a test sets it ahead.
///
/// It does not go on by itself, so that nothing depends on how long a browser or a busy machine takes.
final class ShiftedClock: EventClock {
    private let reading = Mutex(SystemClock().now())

    /// Sets the clock ahead, as time does: also what pauses and the time for a page are measured with.
    func shift(by seconds: Int64) {
        reading.withLock { reading in
            reading = ClockReading(
                wall: EventInstant(microseconds: reading.wall.microseconds + seconds * 1_000_000),
                monotonicNanoseconds: reading.monotonicNanoseconds + UInt64(seconds) * 1_000_000_000,
                boot: reading.boot
            )
        }
    }

    func now() -> ClockReading { reading.withLock { $0 } }
}
