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
        var events: [AuditEvent] = []
        var scratch: [UInt8] = []
        var ranges: [Range<Int>] = []
        var compositions: [EventComposer.Composition] = []
        for submission in submissions {
            let start = events.count
            var composition = EventComposer.Composition()
            switch submission.content {
            case .scope(let scope):
                composition = composer.compose(scope, into: &events, scratch: &scratch)
                log(.info, "scope \(scope.id) '\(scope.activity)' has \(events.count - start) events")
            case .custom(let event):
                composer.compose(event, into: &events)
            case .refused:
                break
            }
            ranges.append(start..<events.count)
            compositions.append(composition)
        }
        state.withLock { [recorded = events.count, compositions] state in
            state.statistics.eventsRecorded += UInt64(recorded)
            state.statistics.eventsIncomplete += UInt64(compositions.reduce(0) { $0 + $1.incompleteCount })
        }
        let outcomes = delivery.deliver(events, ranges: ranges)
        state.withLock { state in
            for outcome in outcomes {
                state.statistics.eventsPersisted += UInt64(outcome.persisted)
                state.statistics.eventsRejected += UInt64(outcome.rejected)
                state.statistics.eventsFailed += UInt64(outcome.failed)
            }
        }
        for (index, submission) in submissions.enumerated() {
            complete(submission, composition: compositions[index], outcome: outcomes[index])
        }
    }

    private func complete(
        _ submission: Submission,
        composition: EventComposer.Composition,
        outcome: EventDelivery.Outcome
    ) {
        var error = outcome.error
        if let lost = error {
            log.report(lost, "\(outcome.failed + outcome.rejected) events are lost")
        }
        if let cause = composition.firstCause {
            let incomplete = RecordingError.incompleteEvents(count: composition.incompleteCount, firstCause: cause)
            log(.error, incomplete.description)
            error = error ?? incomplete
        }
        if case .refused(let refusal) = submission.content { error = refusal }
        submission.completion?(error)
    }
}
