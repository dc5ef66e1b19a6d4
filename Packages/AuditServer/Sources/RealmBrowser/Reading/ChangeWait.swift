import ServiceLifecycle

/// Waits until a file is another one than a page shows; each who waits costs a question to the system now and then.
///
/// The file is not kept open for it: whoever has a realm open keeps its program from migrating it.
struct ChangeWait: Sendable {
    /// How many may wait at once.
    static let maximumWaiting = 32
    /// How often one looks before the answer is that nothing changed.
    static let looks = 40

    let state: FileState
    let places = Places(Self.maximumWaiting)
    /// What passes between two looks.
    var pause: @Sendable () async throws -> Void = {
        // LIVE: a quarter of a second, in which nobody notices that a page is behind.
        try await Task.sleep(for: .milliseconds(250))
    }

    /// Waits for another state than one that was shown.
    ///
    /// - Parameter shown: The state; any other text is another state at once.
    /// - Returns: The state of now, which is the same after some ten seconds.
    /// - Throws: ``RealmBrowserError/busy``, and `CancellationError` when the server ends.
    func change(since shown: String) async throws -> String {
        try places.take()
        defer { places.giveBack() }
        for _ in 0..<Self.looks {
            let now = state.text()
            if now != shown { return now }
            try await cancelWhenGracefulShutdown { try await pause() }
        }
        return state.text()
    }
}
