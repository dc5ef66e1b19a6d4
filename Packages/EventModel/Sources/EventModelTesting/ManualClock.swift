public import EventModel
import Synchronization

/// A clock that a test sets; each reading may advance it by a fixed step.
public final class ManualClock: EventClock {
    private struct State {
        var wall: Int64
        var monotonic: UInt64
        var step: Int64
        var boot: Boot
    }

    private let state: Mutex<State>

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - start: The first reading of the wall clock.
    ///   - step: Microseconds by which each reading advances both clocks.
    ///   - boot: The boot that the monotonic part belongs to.
    /// - Precondition: The step is not negative.
    public init(
        start: EventInstant = EventInstant(microseconds: 1_700_000_000_000_000),
        step: Int64 = 0,
        boot: Boot = Boot(high: 1, low: 2)
    ) {
        precondition(step >= 0, "Readings of a clock move it forward; setWall(_:) sets its wall part back.")
        state = Mutex(State(wall: start.microseconds, monotonic: 0, step: step, boot: boot))
    }

    /// Returns the current reading, then advances by the step.
    public func now() -> ClockReading {
        state.withLock { state in
            defer {
                state.wall += state.step
                state.monotonic += UInt64(state.step) * 1000
            }
            return ClockReading(
                wall: EventInstant(microseconds: state.wall),
                monotonicNanoseconds: state.monotonic,
                boot: state.boot
            )
        }
    }

    /// Moves both clocks forward.
    ///
    /// - Precondition: The number is not negative.
    public func advance(microseconds: Int64) {
        precondition(microseconds >= 0, "A clock moves forward; setWall(_:) sets its wall part back.")
        state.withLock { state in
            state.wall += microseconds
            state.monotonic += UInt64(microseconds) * 1000
        }
    }

    /// Sets the wall clock alone, as somebody who changes the time of a device does.
    public func setWall(_ instant: EventInstant) {
        state.withLock { $0.wall = instant.microseconds }
    }
}
