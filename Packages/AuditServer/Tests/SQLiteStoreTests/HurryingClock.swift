import EventModel
import EventModelTesting

/// A clock that moves a second whenever it is asked.
final class HurryingClock: EventClock {
    private let clock = ManualClock()

    func now() -> ClockReading {
        clock.advance(microseconds: 1_000_000)
        return clock.now()
    }
}
