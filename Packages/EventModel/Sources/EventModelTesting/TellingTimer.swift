public import EventModel

/// A timer by hand that says when something is scheduled, so that a test can wait until somebody waits.
public struct TellingTimer: EventTimer {
    /// The timer whose time a test lets pass.
    public let manual = ManualTimer()
    private let scheduled: AsyncStream<Void>.Continuation

    /// Creates a timer at the time zero.
    ///
    /// - Parameter scheduled: Gets an element each time that something is scheduled.
    public init(scheduled: AsyncStream<Void>.Continuation) {
        self.scheduled = scheduled
    }

    /// Keeps the closure until the time of ``manual`` has come.
    public func schedule(afterNanoseconds nanoseconds: UInt64, _ work: @escaping @Sendable () -> Void) {
        manual.schedule(afterNanoseconds: nanoseconds, work)
        scheduled.yield()
    }
}
