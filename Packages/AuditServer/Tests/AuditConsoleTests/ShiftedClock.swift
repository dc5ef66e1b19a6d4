import EventModel
import Synchronization

/// The system's clock, which a test sets ahead.
final class ShiftedClock: EventClock {
    private let seconds = Mutex<Int64>(0)

    /// Sets the clock ahead.
    func shift(by more: Int64) {
        seconds.withLock { $0 += more }
    }

    func now() -> ClockReading {
        let now = SystemClock().now()
        let ahead = seconds.withLock { $0 } * 1_000_000
        return ClockReading(
            wall: EventInstant(microseconds: now.wall.microseconds + ahead),
            monotonicNanoseconds: now.monotonicNanoseconds,
            boot: now.boot
        )
    }
}
