import Dispatch
import EventModel
import Synchronization

extension Recorder {
    /// Does what must be done about the journal after a capture; called rarely, and outside of the lock.
    func continueJournal() {
        guard let journaling else { return }
        let (step, setsTimer) = state.withLock { state in
            let step = state.journal.step()
            return (step, step == .wait && state.journal.takeTimer())
        }
        if setsTimer { setJournalTimer() }
        switch step {
        case .nothing, .wait: break
        case .write: journaling.async { self.writeJournal(&$0, isForced: true) }
        case .writeNow: journaling.sync { self.writeJournal(&$0, isForced: true) }
        }
    }

    /// Looks again at what is to be journalled when what was captured by now has become old.
    ///
    /// The recorder lives until then: a weak reference would make each retain of it, and there is one for each read,
    /// several times as slow.
    func setJournalTimer(afterNanoseconds delay: UInt64 = JournalProgress.maximumDelay) {
        journaling?.timer
            .schedule(afterNanoseconds: delay) { [self] in
                state.withLock { $0.journal.timerDidFire() }
                journaling?.async { self.writeJournal(&$0, isForced: false) }
            }
    }

    /// Journals what is not journalled yet, if it is old or the caller insists.
    func writeJournal(_ log: inout JournalLog, isForced: Bool) {
        let now = clock.now().monotonicNanoseconds
        switch state.withLock({ $0.takeUnwritten(now: now, isForced: isForced) }) {
        case .nothing: break
        case .later(let delay): setJournalTimer(afterNanoseconds: delay)
        case .write(let work): write(work, to: &log)
        }
    }

    private func write(_ work: UnwrittenCaptures, to log: inout JournalLog) {
        var position = work.captures.start
        var failure: (any Error)?
        do {
            try log.write(work.scopes, work.captures, through: &position)
            position = work.end
        } catch {
            failure = error
        }
        let isEmpty = !log.hasParts
        let bytes = failure == nil ? work.capturedBytes : nil
        let result = state.withLock { state in
            state.journal.isOpen = !isEmpty
            return state.didWrite(through: position, bytes: bytes)
        }
        if result.setsTimer {
            setJournalTimer(
                afterNanoseconds: failure == nil ? JournalProgress.maximumDelay : JournalProgress.retryDelay
            )
        }
        if let failure, result.isFirstFailure {
            reportLater(failure, "captures of open scopes are in memory only, because they could not be journalled")
        }
        // The captures that were dropped are freed here, outside of the lock.
        withExtendedLifetime(result.freed) {}
    }

    /// Works with the journal of scopes, if there is one, and notes whether there still is.
    @discardableResult
    func withJournal<Result>(_ body: (inout JournalLog) throws -> Result) -> Result? {
        guard let journaling, state.withLock({ $0.journal.isOpen || $0.root.id != nil }) else { return nil }
        return journaling.sync { log in
            defer {
                let hasParts = log.hasParts
                state.withLock { $0.journal.isOpen = hasParts }
            }
            do {
                return try body(&log)
            } catch {
                reportLater(error, "the journal of open scopes cannot be kept")
                return nil
            }
        }
    }

    /// Reports an error on the queue on which everything is reported: handlers may call back into the recorder.
    func reportLater(_ error: any Error, _ circumstance: String) {
        queue.async { self.log.report(error, circumstance) }
    }
}

/// Captures that must be journalled, as they were at one moment.
struct UnwrittenCaptures: Sendable {
    /// All scopes that are active or not stored yet.
    let scopes: [JournaledScope]
    let captures: CaptureStretch
    /// The position behind the last capture.
    let end: Int
    /// How many bytes were captured up to there.
    let capturedBytes: Int
}

extension RecordingState {
    /// What is to be journalled.
    enum Unwritten {
        case nothing
        /// Nothing that is old; the oldest capture will be after so many nanoseconds.
        case later(UInt64)
        case write(UnwrittenCaptures)
    }
}
