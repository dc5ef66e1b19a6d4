import EventModel
import Synchronization

extension Uploader {
    /// Someone who waits until all that is recorded now is proven.
    struct Waiter {
        let continuation: CheckedContinuation<Result<Void, any Error>, Never>
        /// How far each partition has to be proven.
        let targets: [PartitionID: UInt64]
    }

    /// An answer to someone who waits.
    struct Answer {
        let continuation: CheckedContinuation<Result<Void, any Error>, Never>
        /// Why something is not proven; nil when all is.
        let error: SyncTransportError?

        func resume() {
            continuation.resume(returning: error.map { .failure($0) } ?? .success(()))
        }
    }

    /// Waits until everything that was recorded before the call is proven, and every partition sealed by then deleted.
    ///
    /// Suspends for as long as the server is away, and until somebody calls ``run(waking:)``. Events that are recorded
    /// meanwhile do not prolong it, and a log of the server that is not proven does. It does not wait for a person: when the user is signed out, or the session cannot be
    /// renewed, it throws. However it ends, no event is lost and the upload goes on.
    ///
    /// - Throws: ``SyncTransportError``: `signInRequired` when what is left waits for the user to sign in; `uploadsBlocked`
    ///   when everything else is proven but some partitions are set aside or stopped; `partitionsUnavailable`;
    ///   `uploaderEnded` when the run ends first. `CancellationError` when the task is cancelled.
    public func waitForUploads() async throws {
        try await OffActor.result { try await wait(for: try targets(), requiresRun: false) }.get()
    }

    /// Uploads everything that was recorded before the call, running for as long as that takes unless a run is active.
    ///
    /// Where the server publishes a log, one look at it follows the last upload, and is waited for; whatever it finds is reported.
    ///
    /// - Throws: As ``waitForUploads()`` does.
    public func uploadEverything() async throws {
        try await OffActor.result {
            let targets = try targets()
            guard let run = claimRun() else {
                return try await wait(for: targets, requiresRun: true)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await self.serve(run, waking: nil) }
                defer { group.cancelAll() }
                async let looking: Void = self.lookAtLog(run.looks)
                let result = await OffActor.result { try await self.wait(for: targets, requiresRun: true) }
                // What was uploaded last is looked at as well, before the program may end.
                self.state.withLock(\.looks)?.finish()
                await looking
                try result.get()
            }
        }
        .get()
    }

    /// What is recorded now.
    private func targets() throws -> [PartitionID: UInt64] {
        do {
            return Dictionary(uniqueKeysWithValues: try source.partitions().map { ($0.partition, $0.count) })
        } catch {
            throw SyncTransportError.partitionsUnavailable(reason: "\(error)")
        }
    }

    /// Waits; with `requiresRun` it fails at once when no run is active, so that it cannot wait for nobody.
    private func wait(for targets: [PartitionID: UInt64], requiresRun: Bool) async throws {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let refusal = state.withLock { state -> (any Error)? in
                    // Cancelled before: the handler has run already and found nobody.
                    if Task.isCancelled { return CancellationError() }
                    if requiresRun, state.signal == nil { return SyncTransportError.uploaderEnded }
                    state.waiters[id] = Waiter(continuation: continuation, targets: targets)
                    return nil
                }
                if let refusal {
                    continuation.resume(returning: .failure(refusal))
                } else {
                    reporting.logger(.detail, "Events: waiting until all that is recorded now is proven.")
                    wake()
                }
            }
        } onCancel: {
            for continuation in state.withLock({ $0.remove([id]) }) {
                continuation.resume(returning: .failure(CancellationError()))
            }
        }
        try result.get()
    }
}

extension Uploader.State {
    /// What came of a wait.
    private struct Outcome {
        /// Why something is not proven; nil when all is.
        let error: SyncTransportError?
    }

    /// Forgets waiters and returns their continuations.
    mutating func remove(_ ids: Set<Int>) -> [CheckedContinuation<Result<Void, any Error>, Never>] {
        ids.compactMap { waiters.removeValue(forKey: $0)?.continuation }
    }

    /// Removes and answers those waiters for whom nothing is left to wait for.
    mutating func answer(_ ids: Set<Int>, _ partitions: [PartitionSummary]) -> [Uploader.Answer] {
        let summaries = Dictionary(partitions.map { ($0.partition, $0) }, uniquingKeysWith: { _, last in last })
        return ids.sorted()
            .compactMap { id in
                guard let waiter = waiters[id], let outcome = outcome(waiter.targets, summaries) else { return nil }
                waiters[id] = nil
                return Uploader.Answer(continuation: waiter.continuation, error: outcome.error)
            }
    }

    /// What came of a wait; nil while there is something to wait for.
    private func outcome(
        _ targets: [PartitionID: UInt64],
        _ summaries: [PartitionID: PartitionSummary]
    ) -> Outcome? {
        var blocked: [PartitionID] = []
        var unproven: [PartitionID] = []
        for (partition, count) in targets {
            // A partition that is not listed any more was deleted, or its owner took it away.
            guard let summary = summaries[partition] else { continue }
            guard summary.isSealed || summary.acknowledgedThrough < count else { continue }
            if summary.quarantineReason != nil || stopped.contains(partition) {
                blocked.append(partition)
            } else if isWaitingForSignIn(partition) {
                unproven.append(partition)
            } else {
                return nil
            }
        }
        if !unproven.isEmpty { return Outcome(error: .signInRequired(unproven.sorted())) }
        return Outcome(error: blocked.isEmpty ? nil : .uploadsBlocked(blocked.sorted()))
    }

    /// Whether a partition waits for the user, or behind one that does: all are of the same user.
    private func isWaitingForSignIn(_ partition: PartitionID) -> Bool {
        signedOut.contains(partition) || !signedOut.isEmpty && !inFlight.contains(partition)
    }
}
