import Dispatch
import EventModel
import Synchronization

extension Recorder {
    /// Blocks until all that was committed or recorded before the call is stored and its completions have run.
    ///
    /// Captures whose journalling was due are then journalled, too, and the loss ledger names all that was lost until then.
    ///
    /// - Precondition: Not called from a completion.
    public func waitUntilIdle() {
        dispatchPrecondition(condition: .notOnQueue(queue))
        queue.sync {
            self.processSubmissions()
            self.sink.enterLosses()
        }
        journaling?.sync { _ in }
    }

    /// Returns when all that was committed or recorded before the call is stored and its completions have run.
    ///
    /// Captures whose journalling was due are then journalled, too, and the loss ledger names all that was lost until then.
    public func flush() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                self.processSubmissions()
                self.sink.enterLosses()
                self.journaling?.sync { _ in }
                continuation.resume()
            }
        }
    }

    /// Lets the background queue process what waits; the recorder lives until it has.
    func requestProcessing() {
        queue.async { self.processSubmissions() }
    }

    /// Processes what waits, and what arrives meanwhile, until nothing does.
    private func processSubmissions() {
        while true {
            let submissions = state.withLock { $0.takeSubmissions() }
            guard !submissions.isEmpty else { return }
            process(submissions)
        }
    }

    private func process(_ submissions: [Submission]) {
        var batch = EventBatch()
        var inFlight: DeliveryInFlight?
        var scratch: [UInt8] = []
        var unnoted: [JournaledScope] = []
        for submission in submissions {
            batch.beginPart()
            let scope = prepared(submission, &unnoted)
            let failures = compose(submission, scope, scratch: &scratch) { event, number in
                batch.append(event, number: number)
                guard batch.isFull else { return }
                finish(&inFlight, &batch, of: submissions)
                note(&unnoted)
                count(recorded: batch.events.count)
                inFlight = delivery.begin(&batch, noteDeletions())
            }
            batch.endPart(failures)
        }
        finish(&inFlight, &batch, of: submissions)
        note(&unnoted)
        let noting = batch.events.isEmpty ? nil : noteDeletions()
        deliver(&batch)
        noteLosses(in: batch.parts)
        forgetScopes(of: submissions, noting)
        for (submission, part) in zip(submissions, batch.parts) { complete(submission, part) }
    }

    private func compose(
        _ submission: Submission,
        _ scope: EventComposer.Scope?,
        scratch: inout [UInt8],
        emit: (AuditEvent, Int?) -> Void
    ) -> EventComposer.Failures {
        if let scope { return composer.compose(scope, scratch: &scratch, emit: emit) }
        if case .custom(let event) = submission.content { emit(composer.compose(event), 0) }
        return EventComposer.Failures()
    }

    /// Gives the events of a scope their ids, and finds the captures that are not in memory any more.
    ///
    /// - Parameters:
    ///   - submission: A submission.
    ///   - unnoted: Gets what the journal must know before any event is stored. It is noted then and not now: the journal may
    ///     still be writing captures of the scope, and the events are made in that time.
    /// - Returns: The scope; nil when the submission is none, or an empty one.
    private func prepared(_ submission: Submission, _ unnoted: inout [JournaledScope]) -> EventComposer.Scope? {
        guard case .scope(let scope) = submission.content, !scope.positions.isEmpty else { return nil }
        let firstEvent = composer.ids.next(count: scope.positions.count)
        if let journaled = state.withLock({ $0.willStore(scope.id, firstEvent: firstEvent) }) {
            unnoted.append(journaled)
        }
        if !scope.isWhollyInMemory { note(&unnoted) }
        let journaled = scope.isWhollyInMemory ? [] : withJournal { log in log.blocks(at: scope.positions) }
        return EventComposer.Scope(
            id: scope.id,
            activity: scope.activity,
            metadata: scope.metadata,
            boot: scope.committed.boot,
            committed: scope.committed.wall,
            captures: ScopeCaptures(
                positions: scope.positions,
                journaled: journaled ?? [],
                inMemory: scope.captures
            ),
            hasFollows: scope.hasFollows,
            firstEvent: firstEvent
        )
    }

    /// Notes in the journal how scopes ended and which ids their events have, if it knows them.
    private func note(_ scopes: inout [JournaledScope]) {
        guard !scopes.isEmpty else { return }
        withJournal { log in try log.update(scopes) }
        scopes = []
    }

    /// Delivers the events that are left.
    private func deliver(_ batch: inout EventBatch) {
        guard !batch.events.isEmpty else { return }
        count(recorded: batch.events.count)
        count(delivery.deliver(&batch))
    }

    /// Begins a time in which deletions are noted, if there is a journal that must learn what is stored.
    private func noteDeletions() -> DeletionNoting? {
        journaling == nil ? nil : delivery.sink.noteDeletions()
    }

    /// Waits for the delivery that was begun before, if there is one.
    private func finish(_ inFlight: inout DeliveryInFlight?, _ batch: inout EventBatch, of submissions: [Submission]) {
        guard let delivered = inFlight else { return }
        inFlight = nil
        let outcomes = delivered.wait()
        batch.didDeliver(delivered.ranges, outcomes)
        count(outcomes)
        noteStored(batch, of: submissions, delivered.noting)
    }

    /// Notes how far scopes are stored, here and in the journal.
    private func noteStored(_ batch: EventBatch, of submissions: [Submission], _ noting: DeletionNoting?) {
        guard let noting else { return }
        let progress = zip(submissions, batch.parts)
            .compactMap { submission, part -> (id: Int, stored: StoredProgress)? in
                guard !part.delivered.isEmpty, case .scope(let scope) = submission.content else { return nil }
                return (scope.id, part.delivered)
            }
        // A scope that comes into the journal later brings this with it.
        let scopes = state.withLock { $0.didStore(progress) }
        withJournal { log in
            do {
                try log.update(scopes)
            } catch {
                log.keep(noting)
                throw error
            }
        }
    }

    /// Releases the captures of scopes whose events were delivered, and says in the journal that they are over.
    private func forgetScopes(of submissions: [Submission], _ noting: DeletionNoting?) {
        let ended = submissions.compactMap { submission -> JournalLog.EndedScope? in
            guard case .scope(let scope) = submission.content else { return nil }
            return JournalLog.EndedScope(id: scope.id, isNoted: scope.isNoted)
        }
        guard journaling != nil, !ended.isEmpty else { return }
        let freed = state.withLock { $0.forgetScopes(ended.map(\.id)) }
        withJournal { log in
            do {
                try log.end(ended)
            } catch {
                if let noting { log.keep(noting) }
                throw error
            }
        }
        releaseNotes()
        withExtendedLifetime((freed, noting)) {}
    }

    /// Enters in the loss ledger what did not get into the sink; what the sink refused is there already.
    private func noteLosses(in parts: [EventBatch.Part]) {
        let losses = parts.flatMap { part in
            [
                loss(.writeFailed, part.outcome.failed, of: part.outcome.failedInstants),
                loss(.encodingFailed, part.failures.count),
                loss(.damaged, part.failures.unreadable == nil ? 0 : 1),
            ]
            .compactMap(\.self)
        }
        if !losses.isEmpty { delivery.sink.note(losses) }
    }

    /// Makes an entry for the loss ledger; nil when nothing was lost.
    func loss(_ reason: LossEntry.Reason, _ count: Int, of instants: ClosedRange<EventInstant>? = nil) -> LossEntry? {
        guard count > 0 else { return nil }
        return LossEntry(
            reason: reason,
            count: UInt64(count),
            noticed: clock.now().wall,
            first: instants?.lowerBound,
            last: instants?.upperBound
        )
    }

    func count(recorded: Int) {
        state.withLock { $0.statistics.eventsRecorded += UInt64(recorded) }
    }

    func count(incomplete: Int) {
        guard incomplete > 0 else { return }
        state.withLock { $0.statistics.eventsIncomplete += UInt64(incomplete) }
    }

    func count(_ outcomes: [DeliveryOutcome]) {
        state.withLock { state in
            for outcome in outcomes {
                state.statistics.eventsPersisted += UInt64(outcome.persisted)
                state.statistics.eventsRejected += UInt64(outcome.rejected)
                state.statistics.eventsFailed += UInt64(outcome.failed)
            }
        }
    }

    /// Logs what became of a submission and calls its completion with the worst that happened.
    private func complete(_ submission: Submission, _ part: EventBatch.Part) {
        let (outcome, failures) = (part.outcome, part.failures)
        var error = outcome.error
        if let lost = error {
            log.report(lost, "\(outcome.failed + outcome.rejected) events are lost")
        }
        if let unreadable = failures.unreadable {
            log.report(unreadable, "captures are lost")
            error = error ?? unreadable
        }
        if let cause = failures.first {
            count(incomplete: failures.count)
            let incomplete = RecordingError.incompleteEvents(count: failures.count, firstCause: cause)
            log(.error, incomplete.description)
            error = error ?? incomplete
        }
        switch submission.content {
        case .refused(let refusal): error = refusal
        case .scope(let scope):
            log(.info, "scope \(scope.id) '\(scope.activity)' is stored: \(outcome.persisted) events")
        case .custom: break
        }
        submission.completion?(error)
    }
}
