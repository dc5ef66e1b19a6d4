import AuditModel
package import EventModel
import Synchronization

/// Lets work pass whose sizes add up to a bounded number of bytes; the rest waits in line, for a bounded time.
///
/// Whoever waits is let in in the order of arrival, so that something large is not overtaken for ever by what is small.
/// What alone is larger than the whole gate passes when nothing else is inside.
package final class ByteGate: Sendable {
    private struct Waiter {
        let number: UInt64
        let bytes: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var free: Int
        var waiters: [Waiter] = []
        var nextNumber: UInt64 = 0

        /// Takes those from the front of the line for whom there is room.
        mutating func admit() -> [Waiter] {
            var admitted = 0
            while admitted < waiters.count, waiters[admitted].bytes <= free {
                free -= waiters[admitted].bytes
                admitted += 1
            }
            defer { waiters.removeFirst(admitted) }
            return Array(waiters.prefix(admitted))
        }
    }

    private let capacity: Int
    private let waitNanoseconds: UInt64
    private let timer: any EventTimer
    private let state: Mutex<State>

    /// Creates a gate with nothing inside.
    ///
    /// - Parameters:
    ///   - capacity: How many bytes may be inside.
    ///   - waitNanoseconds: How long somebody may wait.
    ///   - timer: What ends the waiting.
    package init(capacity: Int, waitNanoseconds: UInt64, timer: any EventTimer) {
        self.capacity = capacity
        self.waitNanoseconds = waitNanoseconds
        self.timer = timer
        state = Mutex(State(free: capacity))
    }

    /// How many wait.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Runs work once there is room for it.
    ///
    /// - Parameters:
    ///   - bytes: How much room it takes until it ends.
    ///   - work: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws; `AuditServerError.unavailable(reason:)` when the wait was too long, and
    ///   `CancellationError` when the task was cancelled meanwhile; the work did not begin then.
    /// - Complexity: O(*n*) in those who wait, when one of them gives up.
    package func pass<T>(bytes: Int, _ work: () async throws -> T) async throws -> T {
        let bytes = min(max(0, bytes), capacity)
        try await enter(bytes)
        defer { leave(bytes) }
        return try await work()
    }

    private func enter(_ bytes: Int) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let decided: Result<Void, any Error>? = state.withLock { state in
                    // Cancelled before: the handler has run already and found nobody.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.waiters.isEmpty, bytes <= state.free {
                        state.free -= bytes
                        return .success(())
                    }
                    state.waiters.append(Waiter(number: number, bytes: bytes, continuation: continuation))
                    return nil
                }
                if let decided { return continuation.resume(with: decided) }
                timer.schedule(afterNanoseconds: waitNanoseconds) { [weak self] in
                    self?.dismiss(number, AuditServerError.unavailable(reason: "too much is being uploaded at once"))
                }
            }
        } onCancel: {
            dismiss(number, CancellationError())
        }
    }

    private func leave(_ bytes: Int) {
        let admitted = state.withLock { state in
            state.free += bytes
            return state.admit()
        }
        for waiter in admitted { waiter.continuation.resume() }
    }

    /// Sends somebody away who still waits; those behind may fit where that one did not.
    private func dismiss(_ number: UInt64, _ error: any Error) {
        let (dismissed, admitted) = state.withLock { state -> (Waiter?, [Waiter]) in
            guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return (nil, []) }
            return (state.waiters.remove(at: index), state.admit())
        }
        dismissed?.continuation.resume(throwing: error)
        for waiter in admitted { waiter.continuation.resume() }
    }
}
