import Dispatch
import EventModel
import Synchronization

extension Recorder {
    /// Blocks until all that was committed or recorded before the call is stored and its completions have run.
    ///
    /// - Precondition: Not called from a completion.
    public func waitUntilIdle() {
        dispatchPrecondition(condition: .notOnQueue(queue))
        queue.sync { self.processSubmissions() }
    }

    /// Returns when all that was committed or recorded before the call is stored and its completions have run.
    public func flush() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                self.processSubmissions()
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
        for submission in submissions { batch.append(submission, composer: composer) }
        count(recorded: batch.events.count, incomplete: batch.incompleteCount)
        let outcomes = delivery.deliver(batch.events, ranges: batch.parts.map(\.events))
        count(outcomes)
        for (submission, (part, outcome)) in zip(submissions, zip(batch.parts, outcomes)) {
            complete(submission, part: part, outcome: outcome)
        }
    }

    private func count(recorded: Int, incomplete: Int) {
        state.withLock { state in
            state.statistics.eventsRecorded += UInt64(recorded)
            state.statistics.eventsIncomplete += UInt64(incomplete)
        }
    }

    private func count(_ outcomes: [EventDelivery.Outcome]) {
        state.withLock { state in
            for outcome in outcomes {
                state.statistics.eventsPersisted += UInt64(outcome.persisted)
                state.statistics.eventsRejected += UInt64(outcome.rejected)
                state.statistics.eventsFailed += UInt64(outcome.failed)
            }
        }
    }

    /// Logs what became of a submission and calls its completion with the worst that happened.
    private func complete(_ submission: Submission, part: EventBatch.Part, outcome: EventDelivery.Outcome) {
        var error = outcome.error
        if let lost = error {
            log.report(lost, "\(outcome.failed + outcome.rejected) events are lost")
        }
        if let cause = part.firstCause {
            let incomplete = RecordingError.incompleteEvents(count: part.incompleteCount, firstCause: cause)
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
