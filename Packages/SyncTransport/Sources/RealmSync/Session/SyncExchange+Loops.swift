import ChangeModel
import EventModel
import SyncTransport

// MARK: - Uploading

extension SyncExchange {
    /// Sends what is pending, and waits for commits.
    func upload(as binding: FileBinding) async throws {
        while true {
            // Noted before it is looked, so that no commit falls between.
            let seen = board.facts
            while try await sendNext(as: binding) {}
            try await board.until { $0.commits > seen.commits || $0.made > seen.made ? () : nil }
        }
    }

    /// Sends the next batch.
    ///
    /// - Returns: Whether there was one.
    private func sendNext(as binding: FileBinding) async throws -> Bool {
        let (state, pending) = try await store { store in
            let state = try store.syncState()
            let all = try store.pendingChanges(after: state.acknowledged, limit: Self.batchBytes)
            let pending = Array(all.prefix(ChangeLimits.batchChanges))
            if let last = pending.last { try store.noteSent(through: last.number) }
            return (state, pending)
        }
        // Behind the look at the file: what is committed after the session was suspended or closed is not sent.
        try Task.checkCancellation()
        guard let first = pending.first, let last = pending.last else { return false }
        let batch = try signed(pending, first: first.number, as: binding, after: state.chain)
        let answer = try await transport.send(batch.bytes)
        guard answer.acknowledged >= last.number else { throw SyncLie.acknowledgesLess }
        try await store { try $0.acknowledge(through: last.number, chain: batch.chain) }
        board.didAcknowledge(last.number, head: answer.head)
        return true
    }

    private func signed(
        _ pending: [PendingChange],
        first: Int,
        as binding: FileBinding,
        after chain: Digest
    ) throws -> SignedBatch {
        var failure: (any Error)?
        let batch = try SignedBatch(
            file: binding.file,
            first: first,
            bodies: pending.map(\.body),
            after: ChangeChain(head: chain, hash: parts.hash)
        ) { head in
            do {
                return try parts.identity.sign(head)
            } catch {
                failure = error
                return [UInt8](repeating: 0, count: SignedBatch.signatureBytes)
            }
        }
        if let failure { throw failure }
        return batch
    }
}

// MARK: - Downloading

extension SyncExchange {
    /// Integrates entries as they come.
    ///
    /// The first request hardly waits. FoundationNetworking goes on looking whether a connection that it has just made can be written to
    /// for as long as the first answer takes, with all of a processor; on one that has answered before it waits in peace.
    func download(as binding: FileBinding) async throws {
        var position = try await store { try $0.syncState() }.position
        // More than nothing, so that it is sent on the connections of those who wait.
        var wait = Duration.milliseconds(1)
        while true {
            let asked = parts.clock.now()
            let answer = try await transport.entries(
                after: position,
                history: binding.history,
                wait: wait,
                limit: Self.answerBytes
            )
            try Task.checkCancellation()
            let entries = try answer.entries
            let hasWaited = wait == Self.wait
            wait = Self.wait
            guard !entries.isEmpty else {
                board.didIntegrate(to: position, head: answer.head)
                // A process that is killed behind its commit tells nobody of it.
                board.didSee(try await store { try $0.syncState() })
                if hasWaited { try await pauseUnlessWaited(since: asked) }
                continue
            }
            try await confirmOwn(entries, as: binding)
            let integrated = try await store { try $0.integrate(entries) }
            guard integrated.position > position else { throw SyncLie.repeatsEntries }
            position = integrated.position
            board.didIntegrate(to: position, head: answer.head)
            if !integrated.rejected.isEmpty { tell(.rejected(integrated.rejected)) }
        }
    }

    /// Waits a second when the server answered at once and had nothing: one that does not wait is not asked as fast as it answers.
    private func pauseUnlessWaited(since asked: ClockReading) async throws {
        let waited = parts.clock.now().monotonicNanoseconds &- asked.monotonicNanoseconds
        guard waited < 1_000_000_000 else { return }
        try await parts.environment.sleep(.seconds(1))
    }

    /// Waits until own changes whose entries came are acknowledged: an entry may be faster than the answer to its upload.
    private func confirmOwn(_ entries: [Entry], as binding: FileBinding) async throws {
        guard let last = entries.last(where: { $0.change.file == binding.file })?.change.number else { return }
        let state = try await store { try $0.syncState() }
        guard state.sent >= last else { throw SyncLie.inventsChange }
        board.didSee(state)
        try await board.untilAcknowledged(last)
    }
}
