import EventModel
import Synchronization

/// Requests that share commits: what arrives while one is under way is done together in the next.
///
/// ```
///  request 1 ──▶ commit 1: 1
///  request 2 ──▶ │ waits
///  request 3 ──▶ │ waits ──▶ commit 2: 2, 3
/// ```
/// There is one connection of its own, so that there is one commit at a time. Nobody waits for others to come: a request that
/// finds nobody is done at once, and the longer commits take, the more requests share one.
///
/// The line is of bounded length, and who stands in it leaves when that takes too long. Whoever's task is cancelled stays in it, as
/// one that has a connection does: what is done before may have been stored already.
final class SharedCommit<Request: Sendable, Answer: Sendable>: Sendable {
    /// What bounds the line and a group.
    struct Limits: Sendable {
        /// How many requests may wait.
        var maximumWaiting: Int
        /// How long one may wait until its group is begun, in nanoseconds.
        var waitNanoseconds: UInt64
        /// How many requests share a commit.
        var groupCount: Int
        /// How many bytes they have together; a larger one is alone.
        var groupBytes: Int
    }

    private struct Waiter {
        let number: UInt64
        let request: Request
        let continuation: CheckedContinuation<Answer, any Error>
    }

    private struct State {
        var waiting: [Waiter] = []
        var isCommitting = false
        var nextNumber: UInt64 = 0
    }

    private enum Place {
        case first
        case behind(number: UInt64)
        case refused
    }

    private let state = Mutex(State())
    private let lane: ConnectionLane
    private let limits: Limits
    private let timer: any EventTimer
    private let size: @Sendable (Request) -> Int
    private let commit: @Sendable ([Request], PostgreSQLConnection) throws -> [Answer]

    /// Creates a line that nobody stands in; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - lane: The connection.
    ///   - limits: What bounds the line and a group.
    ///   - timer: What ends the waiting.
    ///   - size: Returns how many bytes a request has.
    ///   - commit: Does what a group asks for and returns an answer for each, or throws the one for all. It is called again when it
    ///     fails in passing with nothing stored.
    init(
        _ lane: ConnectionLane,
        limits: Limits,
        timer: any EventTimer,
        size: @escaping @Sendable (Request) -> Int = { _ in 0 },
        commit: @escaping @Sendable ([Request], PostgreSQLConnection) throws -> [Answer]
    ) {
        self.lane = lane
        self.limits = limits
        self.timer = timer
        self.size = size
        self.commit = commit
    }

    /// How many requests wait for the commit that is under way.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Does what a request asks for and returns after the commit.
    ///
    /// - Throws: What the work throws; ``PostgreSQLFailure/overloaded`` when the line is full or the wait was too long: nothing was
    ///   done then.
    func run(_ request: Request) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            let place: Place = state.withLock { state in
                guard state.waiting.count < limits.maximumWaiting else { return .refused }
                state.nextNumber += 1
                state.waiting.append(
                    Waiter(number: state.nextNumber, request: request, continuation: continuation)
                )
                defer { state.isCommitting = true }
                return state.isCommitting ? .behind(number: state.nextNumber) : .first
            }
            switch place {
            case .first: commitNext()
            case .behind(let number):
                timer.schedule(afterNanoseconds: limits.waitNanoseconds) { [weak self] in self?.dismiss(number) }
            case .refused: continuation.resume(throwing: PostgreSQLFailure.overloaded)
            }
        }
    }

    /// Commits for those who wait, the longest first, and goes on until nobody does.
    private func commitNext() {
        let group = nextGroup()
        guard !group.isEmpty else { return }
        lane.run { [commit] connection in
            try commit(group.map(\.request), connection)
        } then: { [self] outcome in
            switch outcome {
            case .success(let answers):
                precondition(answers.count == group.count, "Each request of a group has its answer.")
                for (waiter, answer) in zip(group, answers) { waiter.continuation.resume(returning: answer) }
            case .failure(let error):
                for waiter in group { waiter.continuation.resume(throwing: error) }
            }
            commitNext()
        }
    }

    private func nextGroup() -> [Waiter] {
        state.withLock { state in
            var (count, bytes) = (0, 0)
            for waiter in state.waiting.prefix(max(1, limits.groupCount)) {
                bytes += size(waiter.request)
                if count > 0 && bytes > limits.groupBytes { break }
                count += 1
            }
            let group = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            if group.isEmpty { state.isCommitting = false }
            return group
        }
    }

    /// Sends somebody away who still waits.
    private func dismiss(_ number: UInt64) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiting.remove(at: index)
        }
        waiter?.continuation.resume(throwing: PostgreSQLFailure.overloaded)
    }
}
