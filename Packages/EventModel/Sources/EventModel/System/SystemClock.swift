import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The clocks of the machine.
///
/// A reading costs one system clock: the wall clock is the monotonic one plus an offset that is measured again after
/// each millisecond. Setting the machine's time is thus seen one millisecond late at most, and the slewing that keeps
/// it right makes less than a microsecond in between.
public struct SystemClock: EventClock {
    /// How old the measured offset may be, in nanoseconds.
    private static let maximumOffsetAge: UInt64 = 1_000_000

    /// Nanoseconds from the monotonic to the wall clock.
    private static let offset = Atomic<Int64>(0)
    /// The monotonic time at which ``offset`` was measured; 0 when it never was.
    private static let measured = Atomic<UInt64>(0)

    /// Creates the clock.
    public init() {}

    /// Reads the wall clock and the monotonic clock.
    public func now() -> ClockReading {
        let monotonic = Self.nanoseconds(CLOCK_MONOTONIC)
        return ClockReading(
            wall: EventInstant(microseconds: (monotonic + Self.offset(at: monotonic)) / 1000),
            monotonicNanoseconds: UInt64(monotonic),
            boot: Boot.current
        )
    }

    private static func offset(at monotonic: Int64) -> Int64 {
        // The offset is stored before its age: whoever sees the age sees an offset that is at least as fresh.
        let measuredAt = measured.load(ordering: .acquiring)
        if measuredAt != 0, UInt64(monotonic) &- measuredAt < maximumOffsetAge {
            return offset.load(ordering: .relaxed)
        }
        let fresh = nanoseconds(CLOCK_REALTIME) - monotonic
        offset.store(fresh, ordering: .relaxed)
        measured.store(UInt64(monotonic), ordering: .releasing)
        return fresh
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else {
            preconditionFailure("clock_gettime failed with errno \(errno) for a clock that every system has.")
        }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
