import EventModel
import Synchronization

/// A fixed number of connections, and a bounded line of requests that wait for one.
///
/// ```
///  requests ──▶ waiting line ──▶ lane ── queue ── connection ──▶ PostgreSQL
///               at most N, each  lane ── queue ── connection
///               for a bounded time
/// ```
/// Whoever waits is served in the order of arrival. A request that is cancelled while it waits leaves the line; one that
/// has a connection runs to its end.
final class ConnectionPool: Sendable {
    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<ConnectionLane, any Error>
    }

    private struct State {
        var idle: [ConnectionLane]
        var waiters: [Waiter] = []
        var nextNumber: UInt64 = 0
    }

    private let state: Mutex<State>
    private let maximumWaiting: Int
    private let waitNanoseconds: UInt64
    private let timer: any EventTimer

    /// Creates the pool; connections are opened as they are needed.
    ///
    /// - Parameters:
    ///   - address: A connection string of libpq.
    ///   - name: The name of the pool's queues.
    ///   - count: How many connections there may be, at least one.
    ///   - maximumWaiting: How many requests may wait.
    ///   - waitNanoseconds: How long one may wait.
    ///   - timer: What ends the waiting.
    init(
        address: String,
        name: String,
        count: Int,
        maximumWaiting: Int,
        waitNanoseconds: UInt64,
        timer: any EventTimer
    ) {
        let lanes = (0..<max(1, count)).map { ConnectionLane(address: address, name: "\(name).\($0)") }
        state = Mutex(State(idle: lanes))
        self.maximumWaiting = maximumWaiting
        self.waitNanoseconds = waitNanoseconds
        self.timer = timer
    }

    /// Creates the pool of a database.
    convenience init(
        _ configuration: PostgreSQLConfiguration,
        name: String,
        count: Int,
        timer: any EventTimer
    ) {
        self.init(
            address: configuration.address,
            name: name,
            count: count,
            maximumWaiting: configuration.maximumWaiting,
            waitNanoseconds: configuration.waitNanoseconds,
            timer: timer
        )
    }

    /// How many requests wait for a connection.
    var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Runs work on a connection that nobody else uses meanwhile.
    ///
    /// - Throws: What the work throws; ``PostgreSQLFailure/overloaded`` when the line is full or the wait was too long,
    ///   and `CancellationError` when the task was cancelled before the work began.
    func run<T: Sendable>(_ work: @escaping @Sendable (PostgreSQLConnection) throws -> T) async throws -> T {
        let lane = try await take()
        defer { put(lane) }
        return try await lane.run(work)
    }

    private func take() async throws -> ConnectionLane {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let decided: Result<ConnectionLane, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if let lane = state.idle.popLast() { return .success(lane) }
                    guard state.waiters.count < maximumWaiting else { return .failure(PostgreSQLFailure.overloaded) }
                    state.waiters.append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let decided { return continuation.resume(with: decided) }
                timer.schedule(afterNanoseconds: waitNanoseconds) { [weak self] in
                    self?.dismiss(number, PostgreSQLFailure.overloaded)
                }
            }
        } onCancel: {
            dismiss(number, CancellationError())
        }
    }

    /// Gives a lane to who waited the longest.
    private func put(_ lane: ConnectionLane) {
        let next: Waiter? = state.withLock { state in
            guard !state.waiters.isEmpty else {
                state.idle.append(lane)
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.continuation.resume(returning: lane)
    }

    /// Sends somebody away who still waits.
    private func dismiss(_ number: UInt64, _ error: any Error) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(throwing: error)
    }
}
