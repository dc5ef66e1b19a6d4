/// Reads the time; the one way in which the house learns it.
///
/// Safe to call from any thread. A live clock's monotonic part never goes back within one boot; its wall part may.
public protocol EventClock: Sendable {
    /// Returns the wall time, the monotonic time and the boot that the monotonic time counts from.
    func now() -> ClockReading
}

/// One reading of the clocks: evidence of when something happened, even if somebody sets the wall clock.
@frozen
public struct ClockReading: Sendable, Hashable {
    /// The wall clock, which people and the system set back and forth.
    public let wall: EventInstant
    /// Nanoseconds of the monotonic clock, counted from a start that ``boot`` names.
    public let monotonicNanoseconds: UInt64
    /// The run of the operating system that the monotonic time belongs to.
    public let boot: Boot

    /// Creates a reading of both clocks at one moment of a boot.
    @inlinable
    public init(wall: EventInstant, monotonicNanoseconds: UInt64, boot: Boot) {
        self.wall = wall
        self.monotonicNanoseconds = monotonicNanoseconds
        self.boot = boot
    }
}
