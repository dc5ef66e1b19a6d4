import Synchronization

/// Makes object ids that increase within the process.
///
/// A clock that is set back does not make the ids go back: the seconds of the last id are kept as a floor. A time before 1970 counts as
/// 1970, as an id cannot say it.
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
    public func next() -> ObjectId { next(count: 1) }

    /// Returns the first of the next ids, greater than every one before it.
    public func next(count: Int) -> ObjectId {
        precondition(count > 0, "At least one id must be asked for.")
        let now = ObjectId.seconds(clock.now().wall.microseconds.floorDivided(by: 1_000_000))
        let (seconds, counter) = state.withLock { state in
            if now > state.seconds { state.seconds = now }
            // The counter has 24 bits; seconds are borrowed so that the order holds.
            let first = ObjectId.Count(seconds: state.seconds, counter: state.counter).advanced(by: 1)
            let last = first.advanced(by: UInt64(count - 1))
            (state.seconds, state.counter) = (last.seconds, last.counter)
            return (first.seconds, first.counter)
        }
        return ObjectId(
            high: UInt64(seconds) << 32 | process >> 8,
            low: UInt32(process & 0xFF) << 24 | counter
        )
    }
}

extension ObjectId {
    /// The seconds of an id for those of a clock: a time before 1970 has 0, which is the least that an id can say.
    static func seconds(_ seconds: Int64) -> UInt32 { UInt32(truncatingIfNeeded: max(0, seconds)) }

    /// Seconds and counter as one number.
    struct Count {
        var seconds: UInt32
        var counter: UInt32

        func advanced(by distance: UInt64) -> Count {
            let sum = (UInt64(seconds) << 24 | UInt64(counter)) &+ distance
            return Count(seconds: UInt32(truncatingIfNeeded: sum >> 24), counter: UInt32(sum & 0xFF_FFFF))
        }
    }

    /// Returns the id that lies so many ids behind this one, as ``ObjectIdSource/next(count:)`` counts them.
    public func following(_ distance: Int) -> ObjectId {
        let count = Count(seconds: UInt32(high >> 32), counter: low & 0xFF_FFFF).advanced(by: UInt64(distance))
        return ObjectId(
            high: UInt64(count.seconds) << 32 | high & 0xFFFF_FFFF,
            low: low & 0xFF00_0000 | count.counter
        )
    }
}
