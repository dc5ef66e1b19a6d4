#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The clocks of the machine.
public struct SystemClock: EventClock {
    /// Creates the clock.
    public init() {}

    /// Reads the wall clock and the monotonic clock.
    public func now() -> ClockReading {
        ClockReading(
            wall: EventInstant(microseconds: Self.nanoseconds(CLOCK_REALTIME) / 1000),
            monotonicNanoseconds: UInt64(Self.nanoseconds(CLOCK_MONOTONIC)),
            boot: Boot.current
        )
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else {
            preconditionFailure("clock_gettime failed with errno \(errno) for a clock that every system has.")
        }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
