import Dispatch
import Synchronization

/// Hashes passwords away from the threads that serve requests, a few at a time.
///
/// Each hash takes 32 MiB for a tenth of a second, so that whoever tries many passwords at once could take all memory;
/// at most ``maximumWaiting`` may wait, and the others are told to come back.
final class PasswordHashing: Sendable {
    /// How many hashes are made at once.
    static let maximumRunning = 2
    /// How many sign-ins may wait for their turn.
    static let maximumWaiting = 100

    private let cost: PasswordHash.Cost
    private let queue = DispatchQueue(label: "daybook.passwords", attributes: .concurrent)
    private let slots = DispatchSemaphore(value: maximumRunning)
    private let line = DispatchQueue(label: "daybook.passwords.line")
    private let waiting = Mutex(0)

    /// Creates the place where passwords are hashed, nobody waiting.
    init(cost: PasswordHash.Cost) {
        self.cost = cost
    }

    /// Makes the hash of a password.
    ///
    /// - Throws: ``AuditServerError/tooManyRequests(retryAfterSeconds:)`` when too many wait.
    func hash(_ password: String) async throws -> PasswordHash {
        try await run { [cost] in try PasswordHash(of: password, cost: cost) }
    }

    /// Returns whether a password is the hashed one; takes as long when there is no hash to compare it with.
    ///
    /// - Throws: ``AuditServerError/tooManyRequests(retryAfterSeconds:)`` when too many wait.
    func matches(_ password: String, _ hash: PasswordHash?) async throws -> Bool {
        try await run { [cost] in
            guard let hash else {
                _ = try PasswordHash(of: password, cost: cost)
                return false
            }
            return try hash.matches(password)
        }
    }

    private func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let mayWait = waiting.withLock { count in
            guard count < Self.maximumWaiting else { return false }
            count += 1
            return true
        }
        guard mayWait else { throw AuditServerError.tooManyRequests(retryAfterSeconds: 10) }
        defer { waiting.withLock { $0 -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            // One thread of the line waits for a slot; no thread of the pool ever does.
            line.async { [self] in
                slots.wait()
                queue.async { [self] in
                    defer { slots.signal() }
                    continuation.resume(with: .init(catching: body))
                }
            }
        }
    }
}
