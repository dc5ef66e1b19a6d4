public import EventModel

/// What is done about clocks that are wrong, on both sides.
///
/// A device corrects its pending stamps once before the first upload after a connection. The server lowers what still
/// lies ahead of it. Two writes that are closer in truth than the error of the correction, half of a round trip within
/// one boot, may be ordered either way.
public struct StampCorrection: Sendable, Hashable {
    /// How far ahead of the server a stamp may lie, in milliseconds: 5,000.
    ///
    /// What lies farther ahead is lowered.
    public static let toleratedMilliseconds: Int64 = 5000

    /// What the server's clock showed, in milliseconds since 1970.
    public let serverMilliseconds: Int64
    /// What the device's clocks showed at the same moment.
    public let reading: ClockReading

    /// Pairs the server's time with the device's.
    public init(serverMilliseconds: Int64, reading: ClockReading) {
        self.serverMilliseconds = serverMilliseconds
        self.reading = reading
    }

    /// Returns when a commit was made by the server's clock, in milliseconds since 1970.
    ///
    /// Within this boot the monotonic clock says how long ago it was. From another boot there is only its wall clock,
    /// which is taken to have been as wrong then as it is now.
    public func milliseconds(of commit: ClockReading) -> Int64 {
        let error = serverMilliseconds &- reading.wall.microseconds / 1000
        guard commit.boot == reading.boot else { return commit.wall.microseconds / 1000 &+ error }
        let age = reading.monotonicNanoseconds.subtractingReportingOverflow(commit.monotonicNanoseconds)
        // A reading of later than now cannot be of this boot, whatever it says.
        guard !age.overflow else { return serverMilliseconds }
        return serverMilliseconds &- Int64(age.partialValue / 1_000_000)
    }

    /// Returns the times of the pending changes of a file as the server's clock would have shown them, still in order.
    ///
    /// - Parameters:
    ///   - commits: When the changes were made, in the order of their numbers.
    ///   - last: The time of the change before them.
    /// - Returns: A time for each commit, each later than the one before.
    /// - Complexity: O(*n*) in the commits.
    public func clocks(of commits: [ClockReading], after last: HybridClock) -> [HybridClock] {
        var last = last
        return commits.map { commit in
            last = last.atCommit(wallMilliseconds: milliseconds(of: commit))
            return last
        }
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
