import UnixSignals

/// Ends work when the user asks for it.
enum Interruption {
    /// Runs until the body ends, or cancels it when the process gets one of the signals.
    ///
    /// - Parameters:
    ///   - signals: Control-C and the polite request to end, by default.
    ///   - body: The work, which ends when its task is cancelled.
    /// - Throws: What the body throws.
    static func ending(
        on signals: [UnixSignal] = [.sigint, .sigterm],
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let received = await UnixSignalsSequence(trapping: signals)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await body() }
            group.addTask { for await _ in received { return } }
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
