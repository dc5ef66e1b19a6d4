#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
// Its C module has `timespec`, too, and an optimising build takes that one.
import CDispatch
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How long the machine runs, its sleep included: what nobody sets.
package enum SystemUptime {
    /// Nanoseconds since the machine was started.
    package static func nanoseconds() -> UInt64 {
        #if canImport(Darwin)
        let clock = CLOCK_MONOTONIC
        #else
        let clock = CLOCK_BOOTTIME
        #endif
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else {
            preconditionFailure("clock_gettime failed with errno \(errno) for a clock that every system has.")
        }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
