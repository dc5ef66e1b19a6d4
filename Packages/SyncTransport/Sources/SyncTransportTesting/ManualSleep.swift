import Synchronization

/// Pauses that end when a test says so: a clock that only ``advance(by:)`` moves.
public final class ManualSleep: Sendable {
    private struct Sleeper {
        let deadline: Duration
        let continuation: CheckedContinuation<Result<Void, CancellationError>, Never>
    }

    private struct State {
        var now = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())
    private let requests: AsyncStream<Duration>
    private let requested: AsyncStream<Duration>.Continuation

    /// Creates a clock at zero.
    public init() {
        // Unbounded: a test that awaits pauses must see each; it ends with the clock.
        (requests, requested) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    deinit {
        requested.finish()
    }

    /// Suspends until the clock has been moved by the duration.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard !Task.isCancelled else { return true }
                    state.sleepers[id] = Sleeper(deadline: state.now + duration, continuation: continuation)
                    return false
                }
                if isCancelled {
                    continuation.resume(returning: .failure(CancellationError()))
                } else {
                    requested.yield(duration)
                }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(returning: .failure(CancellationError()))
        }
        try result.get()
    }

    /// Waits for the next pause that somebody asks for, or returns the oldest one that nobody has waited for.
    ///
    /// - Parameter ignored: A duration that is passed over, such as the interval of a timer.
    /// - Returns: The duration, or nil when the task is cancelled.
    public func nextPause(ignoring ignored: Duration? = nil) async -> Duration? {
        await requests.first { $0 != ignored }
    }

    /// Moves the clock and ends every pause that is due.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume(returning: .success(())) }
    }
}
