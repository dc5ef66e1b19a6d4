import AuditAdmission
package import AuditModel
import Dispatch
import Synchronization

/// Hashes passwords away from the threads that serve requests, a few at a time.
///
/// Each hash takes 32 MiB for a tenth of a second, so that whoever tries many passwords at once could take all memory, or all
/// the time: at most ``maximumWaiting`` wait, each network in its turn, and of the one that has the most who wait somebody is
/// told to come back when there are more.
package final class PasswordHashing: Sendable {
    /// How many hashes are made at once.
    package static let maximumRunning = 2
    /// How many sign-ins may wait for their turn.
    package static let maximumWaiting = 200
    /// When whoever does not fit into the line is told to come back, in seconds.
    private static let retryAfterSeconds = 10

    private struct Waiter {
        let start: @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private struct State {
        var running = 0
        var line = FairLine<Waiter>(maximum: maximumWaiting)
    }

    private let cost: PasswordHash.Cost
    private let queue = DispatchQueue(label: "daybook.passwords", attributes: .concurrent)
    private let state = Mutex(State())

    /// Creates the place where passwords are hashed, nobody waiting.
    package init(cost: PasswordHash.Cost) {
        self.cost = cost
    }

    /// How many wait for their turn.
    package var waitingCount: Int { state.withLock(\.line.count) }

    /// Makes the hash of a password.
    ///
    /// - Throws: `AuditServerError.tooManyRequests(retryAfterSeconds:)` when too many wait.
    package func hash(_ password: String, from address: String) async throws -> PasswordHash {
        try await run(from: address) { [cost] in try PasswordHash(of: password, cost: cost) }
    }

    /// Returns whether a password is the hashed one; takes as long when there is no hash to compare it with.
    ///
    /// - Throws: `AuditServerError.tooManyRequests(retryAfterSeconds:)` when too many wait.
    package func matches(_ password: String, _ hash: PasswordHash?, from address: String) async throws -> Bool {
        try await run(from: address) { [cost] in
            guard let hash else {
                _ = try PasswordHash(of: password, cost: cost)
                return false
            }
            return try hash.matches(password)
        }
    }

    /// Runs work when it is its turn; no thread waits for that.
    package func run<Result: Sendable>(
        from address: String,
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let waiter = Waiter(
                start: { [self] in
                    queue.async { [self] in
                        let result = Swift.Result(catching: body)
                        startNext()
                        continuation.resume(with: result)
                    }
                },
                refuse: {
                    let error = AuditServerError.tooManyRequests(retryAfterSeconds: Self.retryAfterSeconds)
                    continuation.resume(throwing: error)
                }
            )
            let (starts, displaced) = state.withLock { state -> (Bool, Waiter?) in
                guard state.running >= Self.maximumRunning else {
                    state.running += 1
                    return (true, nil)
                }
                return (false, state.line.enter(waiter, from: NetworkName.of(address)))
            }
            if starts { waiter.start() }
            displaced?.refuse()
        }
    }

    private func startNext() {
        let next = state.withLock { state in
            let next = state.line.next()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.start()
    }
}
