import Dispatch
import EventModel
import Synchronization

extension Recorder {
    /// Stores what the scopes of ended processes captured; on the background queue, before anything else.
    ///
    /// A journal is removed when all its events are durable. If this process ends before, the next recorder begins where
    /// this one stopped. A process may end after its events were stored and before the journal says so; therefore the sink is
    /// asked for the ids in question before anything is stored.
    ///
    /// Whoever has left a journal behind writes no note any more. The order therefore matters: a note that is looked for
    /// before the journal is taken over may be made in between.
    func recoverLeftBehind(_ policy: EventConfiguration.CrashPolicy) {
        guard let journaling else { return }
        do {
            let journals = try journaling.store.leftBehind().filter { try !removeIfEmpty($0) }
            let notes = try noting?.notes.kept() ?? []
            let (sessions, unreadable) = RecoveredSession.sessions(in: journals, notes: notes)
            for (_, error) in unreadable { log.report(error, "a journal of ended scopes is left where it is") }
            let dying = try sessionsThatOthersHave(besides: journals)
            if sessions.contains(where: { dying.contains($0.id) }) { recoverLater(policy) }
            let ours = try sessions.filter { try !dying.contains($0.id) && isOurs($0, notes) }
            let stored = try delivery.sink.storedEvents(among: ours.flatMap(\.uncertainEvents))
            for session in ours { recover(session, policy, stored) }
            try releaseNotes(notes)
        } catch {
            log.report(error, "scopes of an ended process are not recovered yet")
        }
    }

    /// The sessions of journals that are not free.
    ///
    /// A process that dies gives its journals back one after the other. Without all of them it is not known what became of a
    /// scope: one that was stored would be taken for an interrupted one.
    private func sessionsThatOthersHave(besides journals: [any ScopeJournal]) throws -> Set<ObjectId> {
        guard let journaling, !journals.isEmpty else { return [] }
        // How a journal begins that cannot be read says that it belongs to none that can.
        return Set(
            try journaling.store.firstBlocks(besides: journals)
                .compactMap { try? JournalStart(firstBlock: $0).session }
        )
    }

    /// Tries again when the process that is dying must be dead.
    private func recoverLater(_ policy: EventConfiguration.CrashPolicy) {
        journaling?.timer
            .schedule(afterNanoseconds: Self.dyingNanoseconds) { [self] in
                queue.async { self.recoverLeftBehind(policy) }
            }
    }

    /// After so long it is tried again to recover what a dying process had: 1 s.
    private static let dyingNanoseconds: UInt64 = 1_000_000_000

    /// Removes a journal whose process ended before it wrote anything.
    private func removeIfEmpty(_ journal: any ScopeJournal) throws -> Bool {
        // One that cannot be read is not known to be empty; it is reported with the others that say nothing.
        guard let blocks = try? journal.blocks(), blocks.isEmpty else { return false }
        try journal.remove()
        return true
    }

    /// Whether everything that a session left can be read here: a realm that was open with it may hold writes of it.
    ///
    /// Such a session waits for its realm, unless there is no such file any more.
    private func isOurs(_ session: RecoveredSession, _ notes: [KeptNote]) throws -> Bool {
        guard let root = session.root, let journaling else { return true }
        if notes.contains(where: { $0.stream == root }) { return true }
        guard let realm = session.realm else { return true }
        return try realm == noting?.address.name || !journaling.store.hasRealm(named: realm)
    }

    /// Releases the notes whose journal is gone: their scopes are over, in this process or in one before.
    private func releaseNotes(_ notes: [KeptNote]) throws {
        guard let noting, let journaling else { return }
        for (stream, notes) in Dictionary(grouping: notes.filter(noting.isOurs), by: \.stream) {
            guard let last = notes.last, try !journaling.store.exists(stream) else { continue }
            noting.notes.release(stream, through: last.key)
        }
    }

    private func recover(
        _ session: RecoveredSession,
        _ policy: EventConfiguration.CrashPolicy,
        _ stored: Set<ObjectId>
    ) {
        if let damage = session.damage { log.report(damage, "a part of what ended scopes captured is lost") }
        var losses = session.damage == nil ? [] : [loss(.damaged, 1)]
        do {
            for scope in session.scopes where scope.end != nil || policy == .keep {
                losses += try recover(scope, of: session, stored)
            }
            if policy == .discard {
                let discarded = session.scopes.filter { $0.end == nil }
                losses.append(loss(.interrupted, discarded.reduce(0) { $0 + session.captureCount(of: $1) }))
            }
            let entries = losses.compactMap(\.self)
            if !entries.isEmpty { delivery.sink.note(entries) }
            try session.remove()
        } catch {
            log.report(error, "scopes of an ended process are not recovered yet")
        }
    }

    /// Stores the events of one scope.
    ///
    /// - Returns: What could not be made of it, for the loss ledger.
    private func recover(
        _ scope: JournaledScope,
        of session: RecoveredSession,
        _ stored: Set<ObjectId>
    ) throws -> [LossEntry?] {
        let captureCount = session.captureCount(of: scope)
        let isComplete = session.isComplete(scope)
        var recoveredCount = 0
        var losses: [LossEntry?] = []
        if captureCount > 0 {
            let firstEvent = scope.firstEvent ?? composer.ids.next(count: captureCount)
            var scope = scope
            if scope.firstEvent == nil {
                scope.firstEvent = firstEvent
                // All of it: of what is known from a note alone, the journal has no beginning yet.
                try session.note(scope.marks)
            }
            let composed = EventComposer.Scope(
                id: scope.id,
                activity: scope.activity,
                metadata: scope.metadata,
                boot: session.boot,
                committed: scope.end?.instant,
                captures: session.captures(of: scope),
                hasFollows: true,
                firstEvent: firstEvent,
                marks: isComplete ? [] : .interrupted
            )
            losses = try store(composed, scope, of: session, stored, recoveredCount: &recoveredCount)
        }
        try session.note([.ended(id: scope.id)])
        state.withLock { $0.statistics.scopesRecovered += 1 }
        let fate = isComplete ? "committed and not stored" : "interrupted"
        log(
            .warn,
            "scope '\(scope.activity)' was \(fate) when its process ended; \(recoveredCount) events are recovered"
        )
        return losses
    }

    private func store(
        _ composed: EventComposer.Scope,
        _ scope: JournaledScope,
        of session: RecoveredSession,
        _ stored: Set<ObjectId>,
        recoveredCount: inout Int
    ) throws -> [LossEntry?] {
        var batch = EventBatch()
        batch.beginPart()
        var failure: (any Error)?
        var scope = scope
        func deliver() {
            guard failure == nil, !batch.events.isEmpty else { return }
            let noting = delivery.sink.noteDeletions()
            defer { noting.end() }
            let size = batch.events.count
            let outcome = delivery.deliver(&batch)[0]
            // Only a sink that failed is a reason to stop: the journal stays, and the events are offered again later.
            guard outcome.failed == 0 else {
                failure = outcome.error
                return
            }
            if let error = outcome.error { log.report(error, "\(outcome.rejected) events of an ended scope are lost") }
            self.count(recorded: size)
            self.count([outcome])
            recoveredCount += size
            do {
                let known = scope.marks
                scope.stored = batch.parts[0].delivered
                try session.note(scope.marks.filter { !known.contains($0) })
            } catch {
                failure = error
            }
        }
        var scratch: [UInt8] = []
        let failures = composer.compose(composed, scratch: &scratch) { event, number in
            guard failure == nil, !scope.stored.includes(event.id, number: number), !stored.contains(event.id) else {
                return
            }
            batch.append(event, number: number)
            if batch.isFull { deliver() }
        }
        deliver()
        if let failure { throw failure }
        self.count(incomplete: failures.count)
        if let unreadable = failures.unreadable { log.report(unreadable, "captures of an ended scope are lost") }
        return [loss(.encodingFailed, failures.count), loss(.damaged, failures.unreadable == nil ? 0 : 1)]
    }
}
