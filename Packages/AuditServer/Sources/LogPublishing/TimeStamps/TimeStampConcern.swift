import TimeStamping

/// What is wrong with the time-stamps of a log; the log goes on without them, and the authority is asked again.
@nonexhaustive
public enum TimeStampConcern: Sendable, Hashable {
    /// There was no whole answer.
    case unreachable(reason: String)
    /// It answered with something else than a time-stamp.
    case unavailable(status: Int)
    /// What it gave is not believed.
    case rejected(reason: String)
    /// What it gave cannot be kept.
    case unwritable(reason: String)
    /// Those that there are cannot be read.
    case unreadable(reason: String)
    /// The server's clock is another one; in seconds, positive where the server's is ahead.
    case otherClock(seconds: Int64)
}

extension TimeStampConcern: CustomStringConvertible {
    /// What is wrong, in a sentence, and what to do.
    public var description: String {
        switch self {
        case .unreachable(let reason):
            "The authority of time-stamps does not answer: \(reason). It is asked again."
        case .unavailable(let status):
            "The authority of time-stamps answers with status \(status): its url may be that of something else."
        case .rejected(let reason): "A time-stamp of the log was not kept. \(reason)"
        case .unwritable(let reason): "A time-stamp of the log cannot be kept: \(reason)"
        case .unreadable(let reason): "The time-stamps of the log cannot be read, so no other is asked for: \(reason)"
        case .otherClock(let seconds):
            """
            The server's clock is \(seconds.magnitude) seconds \(seconds > 0 ? "ahead of" : "behind") that of the authority of \
            time-stamps: times of receipt are off by as much. Set the clock by NTP.
            """
        }
    }
}
