import Synchronization
import Testing

@testable import AuditModel

@Suite("A turnstile")
struct TurnstileTests {
    @Test("a task that is cancelled while it waits leaves, and those behind it have their turn")
    func cancellation() async throws {
        let turnstile = Turnstile()
        let (inside, entered) = AsyncStream.makeStream(of: Void.self)
        let (release, end) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await turnstile.passUnlessCancelled {
                entered.finish()
                for await _ in release {}
            }
        }
        for await _ in inside {}
        let waiting = Task { try await turnstile.passUnlessCancelled { Issue.record("It was cancelled.") } }
        let behind = Task { try await turnstile.passUnlessCancelled { 7 } }

        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        end.finish()

        try await first.value
        #expect(try await behind.value == 7)
        #expect(await turnstile.pass { 8 } == 8, "nobody is inside any more")
    }

    @Test("a task that was cancelled before does not pass, and passes where that is not asked for")
    func cancelledBefore() async throws {
        let turnstile = Turnstile()
        let outcome = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await turnstile.passUnlessCancelled { 1 }
        }
        .result
        let passed = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await turnstile.pass { 2 }
        }
        .value

        #expect(throws: CancellationError.self) { try outcome.get() }
        #expect(passed == 2)
    }
}
