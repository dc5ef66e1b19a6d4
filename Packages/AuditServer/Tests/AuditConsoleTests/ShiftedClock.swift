import EventModel
import Synchronization

/// A clock that shows the time at which it was made until a test sets it ahead.
///
/// It does not go on by itself, so that nothing depends on how long a browser takes.
final class ShiftedClock: EventClock {
    private let wall = Mutex(SystemClock().now().wall)

    /// Sets the clock ahead.
    func shift(by seconds: Int64) {
        wall.withLock { $0 = EventInstant(microseconds: $0.microseconds + seconds * 1_000_000) }
    }

    func now() -> ClockReading {
        let system = SystemClock().now()
        return ClockReading(
            wall: wall.withLock { $0 },
            // Pauses and limits are measured with this one.
            monotonicNanoseconds: system.monotonicNanoseconds,
            boot: system.boot
        )
    }
}
