/// A time that never goes back in a file: milliseconds since 1970 in 48 bits, and a counter of 16 bits.
///
/// A commit takes the wall clock, or one more than the last time where the wall clock stands or went back. Hearing of a
/// change raises it, so that whoever saw a change writes after it.
public struct HybridClock: Sendable, Hashable {
    /// The milliseconds, shifted by 16, and the counter.
    public let bits: UInt64

    /// Creates a time from its bits.
    public init(bits: UInt64) { self.bits = bits }

    /// Creates a time.
    ///
    /// Milliseconds before 1970 count as 1970, and those that 48 bits do not hold, from the year 10889 on, as the last
    /// one.
    public init(milliseconds: Int64, counter: UInt16 = 0) {
        let held = UInt64(clamping: milliseconds)
        bits = min(held, Self.maximumMilliseconds) << 16 | UInt64(counter)
    }

    /// The time before all others.
    public static let zero = HybridClock(bits: 0)

    private static let maximumMilliseconds: UInt64 = 1 << 48 - 1

    /// The milliseconds since 1970.
    public var milliseconds: Int64 { Int64(bits >> 16) }

    /// The counter within the millisecond; it carries over into the milliseconds.
    public var counter: UInt16 { UInt16(truncatingIfNeeded: bits) }

    /// The next time; the last one of all stays.
    public var next: HybridClock { bits == .max ? self : HybridClock(bits: bits + 1) }

    /// Returns the time of a commit now: the wall clock, or the next time where that is not later.
    public func atCommit(wallMilliseconds: Int64) -> HybridClock {
        max(next, HybridClock(milliseconds: wallMilliseconds))
    }

    /// Returns the clock of a file that has heard of a change.
    public func hearing(_ other: HybridClock) -> HybridClock { max(self, other) }
}

extension HybridClock: Comparable {
    /// Compares the milliseconds and then the counters.
    public static func < (left: HybridClock, right: HybridClock) -> Bool { left.bits < right.bits }
}
