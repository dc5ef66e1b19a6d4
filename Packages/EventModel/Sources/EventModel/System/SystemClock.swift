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
/// it right makes less than a microsecond in between. A wall clock that is set before 1970 is read like any other; one beyond the
/// years 1678 to 2261 reads as the first or the last instant of these, and a monotonic clock in front of its start as 0.
public struct SystemClock: EventClock {
    /// How old the measured offset may be, in nanoseconds.
    private static let maximumOffsetAge: Int64 = 1_000_000
    /// How long comparing the clocks may take, in nanoseconds, before it is done again.
    private static let maximumInterruption: Int64 = 20_000

    /// Nanoseconds from the monotonic to the wall clock.
    private static let offset = Atomic<Int64>(0)
    /// The monotonic time at which ``offset`` was measured; 0 when it never was.
    private static let measured = Atomic<Int64>(0)
    /// The latest monotonic time that anybody has read.
    private static let latest = Atomic<Int64>(0)

    /// Here, because a global that must be made first is asked for each time whether it was.
    private let boot = Boot.current

    /// Creates the clock; all of a process read the same boot.
    public init() {}

    /// Reads the wall clock and the monotonic clock.
    public func now() -> ClockReading {
        let monotonic = Self.monotonicNanoseconds(CLOCK_MONOTONIC)
        Self.latest.max(monotonic, ordering: .relaxed)
        return reading(at: monotonic)
    }

    /// Returns the latest reading of this process, if the system's clock has not ticked since; else a new one.
    ///
    /// For what happens very often, because it costs a few nanoseconds: the processor's counter, for which everything in
    /// front of it must be done first, is read once in a tick. A tick of Linux is 1 to 10 ms, mostly 4 ms, and so much
    /// is the reading behind at most. It is never earlier than a reading that this thread has seen before, so that what
    /// happens in turn is never dated the other way round. Apple's counters are quick enough to be read each time.
    public func recent() -> ClockReading {
        #if canImport(Darwin)
        return now()
        #else
        let latest = Self.latest.load(ordering: .relaxed)
        return latest >= Self.monotonicNanoseconds(CLOCK_MONOTONIC_COARSE) ? reading(at: latest) : now()
        #endif
    }

    private func reading(at monotonic: Int64) -> ClockReading {
        Self.reading(at: monotonic, offset: Self.offset(at: monotonic), boot: boot)
    }

    /// Combines a monotonic time and what the wall clock has more, both in nanoseconds, whatever they are.
    static func reading(at monotonic: Int64, offset: Int64, boot: Boot) -> ClockReading {
        let (sum, isTooFar) = monotonic.addingReportingOverflow(offset)
        let wall = isTooFar ? (offset < 0 ? Int64.min : .max) : sum
        return ClockReading(
            wall: EventInstant(microseconds: wall.floorDivided(by: 1000)),
            monotonicNanoseconds: UInt64(max(0, monotonic)),
            boot: boot
        )
    }

    private static func offset(at monotonic: Int64) -> Int64 {
        // The offset is stored before its age: whoever sees the age sees an offset that is at least as fresh.
        let measuredAt = measured.load(ordering: .acquiring)
        if measuredAt != 0, monotonic - measuredAt < maximumOffsetAge {
            return offset.load(ordering: .relaxed)
        }
        let fresh = measureOffset()
        offset.store(fresh.offset, ordering: .relaxed)
        measured.store(fresh.time, ordering: .releasing)
        return fresh.offset
    }

    /// Compares the two clocks as they are now, a few times if the thread was interrupted meanwhile.
    private static func measureOffset() -> (offset: Int64, time: Int64) {
        var attempts = 3
        while true {
            let before = monotonicNanoseconds(CLOCK_MONOTONIC)
            let wall = nanoseconds(CLOCK_REALTIME)
            attempts -= 1
            if attempts == 0 || monotonicNanoseconds(CLOCK_MONOTONIC) - before < maximumInterruption {
                let (offset, isTooFar) = wall.subtractingReportingOverflow(before)
                return (isTooFar ? .min : offset, before)
            }
        }
    }

    /// Reads a clock that counts from the start of the system; a program that makes clocks lie may set it in front of that.
    private static func monotonicNanoseconds(_ clock: clockid_t) -> Int64 { max(0, nanoseconds(clock)) }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else {
            preconditionFailure("clock_gettime failed with errno \(errno) for a clock that every system has.")
        }
        return nanoseconds(time)
    }

    /// Returns a time in nanoseconds; one that has too many of them is the first or the last that there is.
    static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, hasTooMany) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooFar) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return hasTooMany || isTooFar ? (time.tv_sec < 0 ? .min : .max) : sum
    }
}
