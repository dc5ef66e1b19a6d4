public import EventModel

/// What is done about clocks that are wrong, on both sides.
///
/// A device corrects its pending stamps once before the first upload after a connection. The server lowers what still
/// lies ahead of it.
///
/// When an answer arrives, the server's clock shows something between what the answer says and that plus the round
/// trip. A device whose wall clock lies in between may be right, and is taken to be; another one is taken to be as near
/// as that. So two devices whose clocks are right order their writes rightly, however slow their networks are. If a
/// clock is wrong, two writes that are closer in truth than a round trip may be ordered either way. (After Cristian,
/// Probabilistic clock synchronization, 1989, who takes the middle; the middle is wrong for a clock that was right.)
public struct StampCorrection: Sendable, Hashable {
    /// How far ahead of the server a stamp may lie, in milliseconds: 5,000.
    ///
    /// What lies farther ahead is lowered.
    public static let toleratedMilliseconds: Int64 = 5000
    /// The latest time that a stamp can have, in milliseconds since 1970.
    private static let lastMilliseconds: Int64 = 1 << 48

    /// What the device's clocks showed when the answer arrived.
    private let answered: ClockReading
    /// What the server's clock showed then, as near to the device's wall clock as it may be, in microseconds since 1970.
    private let now: Int64

    /// Pairs the server's time with the device's.
    ///
    /// - Parameters:
    ///   - serverMilliseconds: What the server's clock showed when it answered, in milliseconds since 1970.
    ///   - asked: What the device's clocks showed before it asked.
    ///   - answered: What they showed when it had the answer.
    public init(serverMilliseconds: Int64, asked: ClockReading, answered: ClockReading) {
        self.answered = answered
        let earliest = min(max(serverMilliseconds, 0), Self.lastMilliseconds) * 1000
        let trip = Self.microseconds(from: asked, to: answered) ?? 0
        // What the server says is cut to milliseconds.
        let (latest, isPast) = (earliest + 999).addingReportingOverflow(trip)
        now = min(max(answered.wall.microseconds, earliest), isPast ? .max : latest)
    }

    /// The microseconds between two moments of one boot, or nil if the second one was not later.
    private static func microseconds(from first: ClockReading, to second: ClockReading) -> Int64? {
        let age = second.monotonicNanoseconds.subtractingReportingOverflow(first.monotonicNanoseconds)
        return age.overflow ? nil : Int64(age.partialValue / 1000)
    }

    /// Returns when a commit was made by the server's clock, in milliseconds since 1970.
    ///
    /// Within this boot the monotonic clock says how long ago it was. From another boot there is only its wall clock,
    /// which is taken to have been as wrong then as it is now.
    public func milliseconds(of commit: ClockReading) -> Int64 {
        guard commit.boot == answered.boot else {
            return (commit.wall.microseconds &+ (now &- answered.wall.microseconds)) / 1000
        }
        // A reading of later than now cannot be of this boot, whatever it says.
        return (now &- (Self.microseconds(from: commit, to: answered) ?? 0)) / 1000
    }

    /// Returns the time of a pending change as the server's clock would have shown it.
    ///
    /// - Parameters:
    ///   - commit: When the change was made.
    ///   - last: The time of the change before it in the file.
    /// - Returns: A time later than that.
    public func clock(of commit: ClockReading, after last: HybridClock) -> HybridClock {
        last.atCommit(wallMilliseconds: milliseconds(of: commit))
    }

    /// Returns the time under which the server takes a change.
    ///
    /// - Parameters:
    ///   - clock: The time that the change came with.
    ///   - serverMilliseconds: The server's time, in milliseconds since 1970.
    ///   - last: The latest of the time under which it took the last change of the same file, and of all that the file
    ///     had seen when it made the change.
    /// - Returns: The time itself, the server's where it lies more than ``toleratedMilliseconds`` ahead, and in any
    ///   case one later than the last one: whoever saw a write writes after it.
    public static func accepted(
        _ clock: HybridClock,
        serverMilliseconds: Int64,
        after last: HybridClock
    ) -> HybridClock {
        let limit = HybridClock(milliseconds: serverMilliseconds + toleratedMilliseconds, counter: .max)
        return max(clock <= limit ? clock : HybridClock(milliseconds: serverMilliseconds), last.next)
    }
}
