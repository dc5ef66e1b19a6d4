import EventModel
import Synchronization

/// Counts what uploads do and notifies those who watch.
final class UploadLedger: Sendable {
    private struct State {
        var progress = UploadProgress()
        /// What waits, as of the last look and with the proofs since.
        var waiting: [PartitionID: Waiting] = [:]
        var watchers: [Int: AsyncStream<UploadProgress>.Continuation] = [:]
        var lastWatcher = 0

        mutating func countWaiting() {
            progress.eventsWaiting = waiting.values.reduce(0) { $0 + $1.events }
            progress.bytesWaiting = waiting.values.reduce(0) { $0 + $1.bytes }
        }
    }

    /// What waits of one partition.
    private struct Waiting {
        var events: UInt64
        /// Of the whole file.
        let byteCount: UInt64
        /// Of the whole file.
        let count: UInt64

        /// The share of the file, rounded up; a file without events still has its seal to send.
        var bytes: UInt64 {
            count == 0 ? byteCount : UInt64((Double(byteCount) * Double(events) / Double(count)).rounded(.up))
        }
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
            .map { summary in
                let events = summary.count - min(summary.acknowledgedThrough, summary.count)
                return (
                    summary.partition,
                    Waiting(events: events, byteCount: summary.byteCount, count: summary.count)
                )
            }
        update { state in
            state.waiting = Dictionary(waiting, uniquingKeysWith: { _, last in last })
            state.progress.partitionsWaiting = waiting.count
            state.countWaiting()
        }
    }

    func willSend(byteCount: Int) {
        update { $0.progress.statistics.bytesSent += UInt64(byteCount) }
    }

    func didProve(_ count: UInt64, of partition: PartitionID) {
        update { state in
            state.progress.statistics.eventsUploaded += count
            if let waiting = state.waiting[partition]?.events {
                state.waiting[partition]?.events = waiting - min(count, waiting)
            }
            state.countWaiting()
            state.progress.lastError = nil
        }
    }

    func didDelete(_ partition: PartitionID) {
        update { state in
            state.progress.statistics.partitionsDeleted += 1
            state.waiting[partition] = nil
            state.progress.partitionsWaiting = state.waiting.count
            state.countWaiting()
        }
    }

    func didQuarantine() {
        update { $0.progress.statistics.partitionsQuarantined += 1 }
    }

    func willRetry() {
        update { $0.progress.statistics.retries += 1 }
    }

    func didFail(_ sentence: String) {
        update { $0.progress.lastError = sentence }
    }

    private func update(_ change: (inout State) -> Void) {
        let (progress, watchers) = state.withLock { state in
            change(&state)
            return (state.progress, Array(state.watchers.values))
        }
        for watcher in watchers { watcher.yield(progress) }
    }
}
