import Foundation

/// Runs blocking work on a thread of its own, as the callers of a sink do.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Swift.Result(catching: work))
        }
    }
}
