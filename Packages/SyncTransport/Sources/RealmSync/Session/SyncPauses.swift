import SyncTransport
import Synchronization

/// The pauses of a session, which end with their time or when somebody ends them.
final class SyncPauses: Sendable {
    private let sleep: @Sendable (Duration) async throws -> Void
    private let waiting = Mutex<AsyncStream<Void>.Continuation?>(nil)

    init(_ environment: UploadEnvironment) { sleep = environment.sleep }

    /// Ends the pause that there is, unless nobody may.
    func end() { waiting.withLock(\.self)?.yield() }

    /// Waits.
    ///
    /// - Parameter duration: How long; nil until ``end()``.
    /// - Throws: `CancellationError`.
    func pause(_ duration: Duration?) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        waiting.withLock { $0 = end }
        defer { waiting.withLock { $0 = nil } }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in ends { return } }
            if let duration {
                group.addTask { [sleep] in
                    // Cancelled: the other one ended first, or the session did, which is looked at below.
                    try? await sleep(duration)
                }
            }
            await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    /// Waits, whatever happens meanwhile.
    func rest(_ duration: Duration) async throws { try await sleep(duration) }
}
