import Dispatch

/// The timer of the machine.
public struct SystemTimer: EventTimer {
    private static let queue = DispatchQueue(label: "daybook.timer", qos: .utility)

    /// Creates the timer, which has no state: any two are the same.
    public init() {}

    /// Calls the closure on a queue that all timers of the process share.
    public func schedule(afterNanoseconds nanoseconds: UInt64, _ work: @escaping @Sendable () -> Void) {
        let time = DispatchTime.now() + .nanoseconds(Int(clamping: nanoseconds))
        Self.queue.asyncAfter(deadline: time, execute: work)
    }
}
