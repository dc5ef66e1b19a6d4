import Dispatch

/// A connection with the queue that it is used on, so that libpq blocks no thread of Swift's tasks.
///
/// The connection is opened when it is needed, and anew after one was lost.
// SAFETY: `connection` is touched on `queue` alone, which runs one piece of work at a time.
final class ConnectionLane: @unchecked Sendable {
    /// How often work is tried when what fails is passing.
    private static let attempts = 3

    private let address: String
    private let queue: DispatchQueue
    private var connection: PostgreSQLConnection?

    /// Creates a lane; nothing is connected yet.
    init(address: String, name: String) {
        self.address = address
        queue = DispatchQueue(label: name)
    }

    /// Runs work on the connection, to its end, also when the calling task is cancelled meanwhile.
    ///
    /// The work runs again when it fails in passing with nothing stored.
    func run<T: Sendable>(_ work: @escaping @Sendable (PostgreSQLConnection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            run(work) { continuation.resume(with: $0) }
        }
    }

    /// Runs work on the connection, and calls the closure on the connection's queue when it is done.
    func run<T: Sendable>(
        _ work: @escaping @Sendable (PostgreSQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        queue.async { then(Result { try self.perform(work) }) }
    }

    private func perform<T>(_ work: (PostgreSQLConnection) throws -> T) throws -> T {
        for _ in 1..<Self.attempts {
            do {
                return try performOnce(work)
            } catch let failure as PostgreSQLFailure where failure.isPassing {
                continue
            }
        }
        return try performOnce(work)
    }

    private func performOnce<T>(_ work: (PostgreSQLConnection) throws -> T) throws -> T {
        let connection = try connection ?? PostgreSQLConnection(address)
        self.connection = connection
        defer { if !connection.isUsable { self.connection = nil } }
        return try work(connection)
    }
}
