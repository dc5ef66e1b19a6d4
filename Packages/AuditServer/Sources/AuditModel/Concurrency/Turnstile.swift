import Synchronization

/// Lets one task at a time through, in the order in which they came.
///
/// Whoever is inside stays for a bounded time, so that a task need not be woken by its cancellation; it may ask for that.
package final class Turnstile: Sendable {
    private struct State {
        var isTaken = false
        /// Those who wait, the longest first; each is told whether it is let in.
        var waiting: [(number: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
        /// Those who were cancelled before they could wait.
        var cancelled: Set<UInt64> = []
        var nextNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Creates one that nobody is inside of.
    package init() {}

    /// Runs the closure when nobody else's runs.
    package func pass<T>(_ body: () async throws -> T) async rethrows -> T {
        await enter()
        defer { leave() }
        return try await body()
    }

    /// Runs the closure when nobody else's runs, unless the task is cancelled before.
    ///
    /// - Throws: `CancellationError` when the task was cancelled while it waited, and what the closure throws.
    package func passUnlessCancelled<T>(_ body: () async throws -> T) async throws -> T {
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        let isInside = await withTaskCancellationHandler {
            await enter(number)
        } onCancel: {
            giveUp(number)
        }
        let isCancelled = Task.isCancelled
        // Whoever was cancelled before anybody was inside has left its number.
        state.withLock { _ = $0.cancelled.remove(number) }
        guard isInside else { throw CancellationError() }
        defer { leave() }
        if isCancelled { throw CancellationError() }
        return try await body()
    }

    private func enter() async {
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        _ = await enter(number)
    }

    private func enter(_ number: UInt64) async -> Bool {
        await withCheckedContinuation { continuation in
            let isInside = state.withLock { state -> Bool? in
                if state.cancelled.contains(number) { return false }
                if state.isTaken {
                    state.waiting.append((number, continuation))
                    return nil
                }
                state.isTaken = true
                return true
            }
            if let isInside { continuation.resume(returning: isInside) }
        }
    }

    private func giveUp(_ number: UInt64) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.waiting.remove(at: index).continuation
        }
        continuation?.resume(returning: false)
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if state.waiting.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
