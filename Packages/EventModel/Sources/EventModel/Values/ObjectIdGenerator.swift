import Synchronization

/// Makes object ids that increase within the process.
///
/// A clock that is set back does not make the ids go back: the seconds of the last id are kept as a floor.
public final class ObjectIdGenerator: ObjectIdSource {
    private struct State {
        var seconds: UInt32
        var counter: UInt32
    }

    /// The generator that programs use; tests make their own.
    public static let system = ObjectIdGenerator(clock: SystemClock(), seed: .random(in: .min ... .max))

    private let clock: any EventClock
    private let process: UInt64
    private let state: Mutex<State>

    /// Creates a generator.
    ///
    /// - Parameters:
    ///   - clock: The wall clock that gives the first four bytes.
    ///   - seed: Random bits: five bytes for the process part, three for the first counter value.
    public init(clock: any EventClock, seed: UInt64) {
        self.clock = clock
        process = seed >> 24
        state = Mutex(State(seconds: 0, counter: UInt32(truncatingIfNeeded: seed & 0x7F_FFFF)))
    }

    /// Returns the next id, greater than every one before it.
    public func next() -> ObjectId {
        let now = UInt32(truncatingIfNeeded: clock.now().wall.microseconds / 1_000_000)
        let (seconds, counter) = state.withLock { state in
            if now > state.seconds { state.seconds = now }
            state.counter += 1
            if state.counter > 0xFF_FFFF {
                // The counter has 24 bits; the second is borrowed so that the order holds.
                state.counter = 0
                state.seconds += 1
            }
            return (state.seconds, state.counter)
        }
        return ObjectId(
            high: UInt64(seconds) << 32 | process >> 8,
            low: UInt32(process & 0xFF) << 24 | counter
        )
    }
}
