import Synchronization

extension Uploader {
    /// Looks at the server's log whenever a round of uploads is over, and registers the device's key; no upload waits for it.
    ///
    /// When no more rounds are told of, what was not looked at yet is, unless the task is cancelled.
    func lookAtLog(_ rounds: AsyncStream<Void>) async {
        guard let log else { return }
        // What it knows of the server's answers is of this run alone.
        var registrar = registrar
        for await _ in rounds {
            await look(log)
            await registrar?.attend()
        }
        // Whoever waits may learn of the last deletion before its upload has ended.
        if !Task.isCancelled, state.withLock({ $0.isLookDue }) {
            await look(log)
            await registrar?.attend()
        }
    }

    private func look(_ log: any LogWatching) async {
        state.withLock { state in
            state.endedSinceLook = 0
            state.isLookDue = false
        }
        if let error = await log.look() { reporting.report(error, isCurrent: false) }
    }
}

extension Uploader.State {
    /// How many uploads end at most before the log is looked at, while others go on.
    private static let uploadsInRound = 16

    /// Counts an upload that ended.
    ///
    /// - Returns: Where to ask for a look at the log: when nothing is in flight any more, or many ended. One signal is as good as many,
    ///   as what happens meanwhile is in the next look.
    mutating func didEndUpload() -> AsyncStream<Void>.Continuation? {
        endedSinceLook += 1
        isLookDue = true
        return inFlight.isEmpty || endedSinceLook >= Self.uploadsInRound ? looks : nil
    }
}
