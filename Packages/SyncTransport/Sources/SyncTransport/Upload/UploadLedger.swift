import EventModel
import Synchronization

/// Counts what uploads do and tells those who watch.
final class UploadLedger: Sendable {
    private struct State {
        var progress = UploadProgress()
        var watchers: [Int: AsyncStream<UploadProgress>.Continuation] = [:]
        var lastWatcher = 0
    }

    private let state = Mutex(State())

    deinit {
        for watcher in state.withLock(\.watchers).values { watcher.finish() }
    }

    var progress: UploadProgress { state.withLock(\.progress) }

    /// A stream that starts with the progress of now.
    func watch() -> AsyncStream<UploadProgress> {
        // Only the newest matters to a watcher that is slow; the ledger's end finishes the stream.
        let (stream, continuation) = AsyncStream<UploadProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (id, progress) = state.withLock { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = continuation
            return (state.lastWatcher, state.progress)
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.watchers[id] = nil }
        }
        continuation.yield(progress)
        return stream
    }

    func didList(_ partitions: [PartitionSummary]) {
        let waiting = partitions.filter(\.needsUpload)
        update { progress in
            progress.partitionsWaiting = waiting.count
            progress.eventsWaiting = waiting.reduce(0) { $0 + $1.count - min($1.acknowledgedThrough, $1.count) }
        }
    }

    func willSend(byteCount: Int) {
        update { $0.statistics.bytesSent += UInt64(byteCount) }
    }

    func didProve(_ count: UInt64) {
        update { progress in
            progress.statistics.eventsUploaded += count
            progress.eventsWaiting -= min(count, progress.eventsWaiting)
            progress.lastError = nil
        }
    }

    func didDelete() {
        update { $0.statistics.partitionsDeleted += 1 }
    }

    func didQuarantine() {
        update { $0.statistics.partitionsQuarantined += 1 }
    }

    func willRetry() {
        update { $0.statistics.retries += 1 }
    }

    func didFail(_ sentence: String) {
        update { $0.lastError = sentence }
    }

    private func update(_ change: (inout UploadProgress) -> Void) {
        let (progress, watchers) = state.withLock { state in
            change(&state.progress)
            return (state.progress, Array(state.watchers.values))
        }
        for watcher in watchers { watcher.yield(progress) }
    }
}
