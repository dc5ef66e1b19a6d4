public import EventModel
import Synchronization

/// A timer whose time passes when a test says so.
public final class ManualTimer: EventTimer {
    private struct State {
        var now: UInt64 = 0
        var waiting: [(due: UInt64, work: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    /// Creates a timer at the time zero.
    public init() {}

    /// How many calls wait for their time.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Keeps the closure until ``advance(nanoseconds:)`` reaches its time.
    public func schedule(afterNanoseconds nanoseconds: UInt64, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiting.append(($0.now + nanoseconds, work)) }
    }

    /// Lets time pass and calls what is due, in order of its time, on the calling thread.
    ///
    /// What is scheduled by such a call is called, too, if its time has come.
    public func advance(nanoseconds: UInt64) {
        let end = state.withLock { $0.now + nanoseconds }
        while let work = takeNext(until: end) { work() }
        state.withLock { $0.now = end }
    }

    private func takeNext(until end: UInt64) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let index = state.waiting.indices.min(by: { state.waiting[$0].due < state.waiting[$1].due }),
                state.waiting[index].due <= end
            else { return nil }
            let next = state.waiting.remove(at: index)
            state.now = max(state.now, next.due)
            return next.work
        }
    }
}
