import Synchronization

/// Holds tasks back until it has been opened, or until enough of them have arrived.
public final class TestGate: Sendable {
    private struct State {
        var missing: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// Creates a gate that opens after a number of arrivals.
    public init(arrivals: Int = 1) {
        state = Mutex(State(missing: arrivals))
    }

    /// Counts one arrival and opens the gate when it was the last one missing.
    public func arrive() {
        let released = state.withLock { state in
            state.missing -= 1
            guard state.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in released { continuation.resume() }
    }

    /// Suspends until the gate is open; cancelling the task does not end it.
    public func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                guard state.missing > 0 else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isOpen { continuation.resume() }
        }
    }
}
