import Synchronization

/// The pauses of uploads that end early when their cause may be gone.
final class UploadPauses: Sendable {
    /// When an attempt was made, counted in early ends.
    ///
    /// A pause after an attempt that was made before the last early end does not even begin: what ended the others may
    /// have helped this one as well.
    struct Attempt: Sendable, Equatable {
        fileprivate let number: Int
    }

    private struct State {
        var number = 0
        var ends: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastPause = 0
    }

    private let state = Mutex(State())

    /// The present attempt, to be asked for before it is made.
    var attempt: Attempt { Attempt(number: state.withLock(\.number)) }

    /// Ends all pauses, also those that attempts of before would begin now.
    func endAll() {
        let ends = state.withLock { state in
            state.number += 1
            defer { state.ends = [:] }
            return state.ends.values
        }
        for end in ends { end.finish() }
    }

    /// Suspends for a time, or until somebody ends the pauses.
    ///
    /// - Throws: What `sleep` throws, or `CancellationError` when the task is cancelled.
    func pause(
        _ duration: Duration,
        since attempt: Attempt,
        _ sleep: @escaping @Sendable (Duration) async throws -> Void
    ) async throws {
        // No element is ever sent: the end of the stream is the signal.
        let (ended, end) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state -> Int? in
            guard state.number == attempt.number else { return nil }
            state.lastPause += 1
            state.ends[state.lastPause] = end
            return state.lastPause
        }
        guard let id else { return }
        defer { _ = state.withLock { $0.ends.removeValue(forKey: id) } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await sleep(duration) }
            group.addTask { for await _ in ended {} }
            defer { group.cancelAll() }
            try await group.next()
        }
        try Task.checkCancellation()
    }
}
