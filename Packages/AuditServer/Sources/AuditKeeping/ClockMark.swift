package import EventModel

/// What a server remembers of its clock, so that it notices when somebody sets it far ahead.
///
/// While the machine runs, the wall clock has to go as fast as the one that counts since its start. Over a restart of the
/// machine nothing counts, so that a time far behind the last one that was believed is doubted, too. What is doubted is not
/// believed by being repeated: the clock has to be right again, or an administrator has to say that it is.
package struct ClockMark: Sendable, Hashable, Codable {
    /// What a look at the clock says.
    package enum Verdict: Sendable, Hashable {
        /// Nothing speaks against it.
        case plausible
        /// It is so many microseconds ahead of where it should be.
        case ahead(Int64)
    }

    /// How far the wall clock may run ahead of the counting one, in microseconds: an hour.
    package static let tolerance: Int64 = 3_600_000_000
    /// How long a machine may have been off before its clock is doubted, in microseconds: 7 days.
    package static let longestRest: Int64 = 7 * 86_400_000_000
    /// How old the newest receipt may be where nothing is remembered, in microseconds: 90 days.
    package static let oldestReceipt: Int64 = 90 * 86_400_000_000

    /// The start of the machine that the two clocks were compared in.
    private var boot: String
    /// The wall clock when they were compared, in microseconds since 1970.
    private var wall: Int64
    /// The counting clock then, in nanoseconds.
    private var uptime: UInt64
    /// The latest time that was believed, in microseconds since 1970.
    private var latest: Int64
    /// Whether the clock was doubted when it was looked at last.
    package private(set) var isDoubted: Bool

    /// Believes a reading.
    package init(_ reading: ClockReading) {
        boot = reading.boot.hex
        wall = reading.wall.microseconds
        uptime = reading.monotonicNanoseconds
        latest = wall
        isDoubted = false
    }

    /// Looks at a clock of which nothing is remembered.
    ///
    /// - Parameters:
    ///   - reading: The clock.
    ///   - newestReceipt: When the newest event was received; nil when there is none.
    package init(_ reading: ClockReading, newestReceipt: EventInstant?) {
        self.init(reading)
        guard let newestReceipt, wall - newestReceipt.microseconds > Self.oldestReceipt else { return }
        latest = newestReceipt.microseconds
        // No machine was started then, so that only the time of the receipt counts.
        (boot, isDoubted) = ("", true)
    }

    /// Looks at the clock again.
    package mutating func look(_ reading: ClockReading) -> Verdict {
        let now = reading.wall.microseconds
        let ahead = ahead(reading)
        guard ahead <= 0 else {
            isDoubted = true
            return .ahead(ahead)
        }
        let isSame = boot == reading.boot.hex && now >= expected(reading) - Self.tolerance
        // A clock that was set back is compared from there on, or it could be set ahead again unnoticed.
        if !isSame { self = ClockMark(reading) }
        latest = now
        isDoubted = false
        return .plausible
    }

    /// How far a reading is ahead of what is believed; 0 or less when it is believed.
    private func ahead(_ reading: ClockReading) -> Int64 {
        let now = reading.wall.microseconds
        guard boot == reading.boot.hex else {
            let limit = boot.isEmpty ? Self.oldestReceipt : Self.longestRest
            return now - latest > limit ? now - latest : 0
        }
        let drift = now - expected(reading)
        return drift > Self.tolerance ? drift : 0
    }

    /// Where the wall clock should be by the counting one.
    private func expected(_ reading: ClockReading) -> Int64 {
        wall + Int64(clamping: (reading.monotonicNanoseconds - min(uptime, reading.monotonicNanoseconds)) / 1000)
    }
}
