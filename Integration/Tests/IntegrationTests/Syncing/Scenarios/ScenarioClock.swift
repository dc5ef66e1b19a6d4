import EventModel
import Synchronization

/// The clock of a device that a story sets wrong, or stops; it is right until then.
final class ScenarioClock: EventClock {
    private struct State {
        var aheadMicroseconds: Int64 = 0
        var lateMicroseconds: Int64 = 0
        var standing: ClockReading?
    }

    private let system = SystemClock()
    private let state = Mutex(State())

    func now() -> ClockReading {
        state.withLock { state in
            if let standing = state.standing { return standing }
            let reading = system.now()
            return ClockReading(
                wall: EventInstant(
                    microseconds: reading.wall.microseconds - state.lateMicroseconds + state.aheadMicroseconds
                ),
                monotonicNanoseconds: reading.monotonicNanoseconds - UInt64(state.lateMicroseconds) * 1000,
                boot: reading.boot
            )
        }
    }

    /// Sets the wall clock, as somebody does who changes the time of a device; 0 sets it right.
    func set(aheadDays days: Int64) {
        state.withLock { $0.aheadMicroseconds = days * 86_400_000_000 }
    }

    /// Lets the device do some seconds ago what it does now: both of its clocks show that time.
    ///
    /// 0 brings it back to the present.
    func live(secondsAgo seconds: Int64) {
        state.withLock { $0.lateMicroseconds = seconds * 1_000_000 }
    }

    /// Lets all readings be one, until ``go()``.
    func stand(at reading: ClockReading) {
        state.withLock { $0.standing = reading }
    }

    /// Lets the clock go on as if it had not stood.
    func go() {
        state.withLock { $0.standing = nil }
    }

    /// The middle of a millisecond to come, so that the rounding of a time does not make another one of it.
    func nextMiddle() -> ClockReading {
        let reading = system.now()
        let wall = (reading.wall.microseconds / 1000 + 2) * 1000 + 500
        return ClockReading(
            wall: EventInstant(microseconds: wall),
            monotonicNanoseconds: reading.monotonicNanoseconds + UInt64(wall - reading.wall.microseconds) * 1000,
            boot: reading.boot
        )
    }
}
