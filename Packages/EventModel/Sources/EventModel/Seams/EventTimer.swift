/// Calls back after a time; the one way in which the house waits.
///
/// Safe to call from any thread.
public protocol EventTimer: Sendable {
    /// Calls the closure once, not before the time has passed, on a thread of the timer's own.
    ///
    /// - Parameters:
    ///   - nanoseconds: How long to wait.
    ///   - work: What to call; must return quickly.
    func schedule(afterNanoseconds nanoseconds: UInt64, _ work: @escaping @Sendable () -> Void)
}
