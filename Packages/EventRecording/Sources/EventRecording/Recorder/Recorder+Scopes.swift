import EventModel
import Synchronization

extension Recorder {
    /// Begins a scope and returns its id.
    func beginScope(activity: String) -> Int {
        let activity = fitting(activity)
        let id = state.withLock { $0.beginScope(activity: activity) }
        gate.open()
        log(.trace, "scope \(id) '\(activity)' begins")
        return id
    }

    /// Whether a scope was begun and not ended.
    func isActive(_ id: Int) -> Bool {
        state.withLock { $0.isActive(id) }
    }

    /// Ends a scope and hands what it captured to the background queue.
    func commitScope(_ id: Int, completion: (@Sendable ((any Error)?) -> Void)?) {
        let reading = clock.now()
        let (isFirst, isCommitted, setsTimer) = state.withLock { state in
            // Taking the captures and queueing them is one step, so that the order of commits is the order of events.
            let ended = state.commitScope(id, at: reading)
            let content = ended.map { Submission.Content.scope($0.0) } ?? .refused(.scopeNotActive(id: id))
            let isFirst = state.submit(Submission(content: content, completion: completion))
            return (isFirst, ended != nil, state.journal.takeTimer())
        }
        if setsTimer { setJournalTimer() }
        if isCommitted {
            gate.close()
            log(.trace, "scope \(id) is committed")
        } else {
            log(.warn, "\(RecordingError.scopeNotActive(id: id)) It cannot be committed.")
        }
        if isFirst { requestProcessing() }
    }

    /// Ends a scope and forgets what it captured.
    func cancelScope(_ id: Int) {
        guard let ended = state.withLock({ $0.cancelScope(id) }) else {
            log(.warn, "\(RecordingError.scopeNotActive(id: id)) It cannot be cancelled.")
            return
        }
        gate.close()
        forgetCancelled(id, ended.isNoted)
        log(.trace, "scope \(id) '\(ended.activity)' is cancelled")
    }

    /// Ends a scope that its program dropped, if it is active.
    func abandonScope(_ id: Int) {
        guard let ended = state.withLock({ $0.cancelScope(id) }) else { return }
        gate.close()
        forgetCancelled(id, ended.isNoted)
        log(.warn, "scope \(id) '\(ended.activity)' was dropped while active; its events are discarded")
    }

    /// Makes unreadable, or at least never to be recovered, what only a cancelled scope needed.
    private func forgetCancelled(_ id: Int, _ isNoted: Bool) {
        withJournal { try $0.cancel(JournalLog.EndedScope(id: id, isNoted: isNoted)) }
        guard isNoted else { return }
        state.withLock { $0.notes.didForget([id]) }
        releaseNotes()
    }

    /// Records an event of the program's own.
    func record(
        activity: String,
        eventType: String?,
        data: String?,
        completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        let reading = clock.now()
        let (activity, eventType) = (fitting(activity), eventType.map(fitting))
        let isFirst = state.withLock { state in
            let event = CustomEvent(
                clock: reading,
                activity: activity,
                eventType: eventType,
                data: data,
                metadata: state.currentMetadata
            )
            return state.submit(Submission(content: .custom(event), completion: completion))
        }
        if isFirst { requestProcessing() }
    }

    /// Returns a name as it can be stored: one that is too long is cut, which is reported, and nothing else is lost.
    private func fitting(_ name: String) -> String {
        let fitting = AuditEvent.fitting(name)
        if fitting.utf8.count < name.utf8.count {
            let error = RecordingError.nameTooLong(byteCount: name.utf8.count, limit: AuditEvent.maximumNameBytes)
            log.report(error, "the event is recorded with the beginning of its name")
        }
        return fitting
    }
}
