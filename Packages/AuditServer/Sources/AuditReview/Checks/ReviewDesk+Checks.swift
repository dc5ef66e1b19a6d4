import AuditModel
import EventModel
package import EventProofs
import Logging
import Synchronization

extension ReviewDesk {
    /// How many partitions of the log are compared with what is there in one pass, of which there is one every two seconds.
    package static let comparedPartitions = 500
    /// How many events the search index enters at most before it is asked for the words of the trail.
    private static let enteredEvents = 5000
    /// After how long it is kept again how far the checks are, in nanoseconds, when nothing new was found: 30 seconds.
    private static let keepingNanoseconds: UInt64 = 30_000_000_000

    // MARK: - Checking

    /// Verifies some of what is stored.
    ///
    /// - Parameters:
    ///   - budget: How many events and entries of the log at most.
    ///   - published: The newest checkpoint of the published log; nil when it is not published.
    /// - Returns: How often everything was verified since the start.
    /// - Throws: `unavailable` when the store fails; the next pass goes on.
    @discardableResult
    package func verify(_ budget: Int, published: Checkpoint? = nil) async throws -> UInt64 {
        try await watching.pass {
            let heads = read { book in
                book.signOffs.values.joined()
                    .reduce(into: [UInt64: Digest]()) { $0[$1.value.logSize] = $1.value.logRoot }
            }
            var check = self.check.withLock { $0 }
            let now = clock.now().wall
            let verdicts = try await check.step(
                budget,
                in: events,
                log: log,
                against: StoreCheck.Evidence(heads: heads, published: published) { [self] in try await trailSays($0) },
                at: now
            )
            for verdict in verdicts {
                findings.note(verdict.subject, of: verdict.owner, verdict.problems, at: now)
                if !verdict.problems.isEmpty { try await raise(verdict.alert(at: now)) }
            }
            // What was not told is looked at again.
            let checked = check
            self.check.withLock { $0 = checked }
            findings.note(last: checked.last, current: checked.pass)
            keepChecks()
            return checked.rounds
        }
    }

    /// Compares some of the log of sealed partitions with what is there.
    ///
    /// - Parameter budget: How many partitions at most.
    /// - Returns: What is known of the log after it.
    /// - Throws: `unavailable` when the store fails; the next pass goes on.
    @discardableResult
    package func compareLog(_ budget: Int = ReviewDesk.comparedPartitions) async throws -> HoldingCheck {
        try await watching.pass {
            var check = holdings.withLock { $0 }
            let now = clock.now().wall
            let step = try await check.step(budget, in: events, log: log)
            for partition in step.sound { findings.note(CheckSubject(.holding, of: partition), [], at: now) }
            for found in step.findings {
                let sentences = found.problems.map { "Partition \(found.entry.partition): \($0)." }
                let subject = CheckSubject(.holding, of: found.entry.partition)
                findings.note(subject, of: found.entry.owner, sentences, at: now)
                try await raise(found.alert(at: now))
            }
            try await noteDamaged(step.damaged, at: now)
            let checked = check
            holdings.withLock { $0 = checked }
            keepChecks()
            return checked
        }
    }

    /// Writes down which entries of the log cannot be read.
    private func noteDamaged(_ entries: [UInt64]?, at now: EventInstant) async throws {
        guard let entries else { return }
        let sentences = entries.map { "Entry \($0) of the log cannot be read: it is damaged." }
        findings.note(CheckSubject(.entries), sentences, at: now)
        guard let first = entries.first else { return }
        try await raise(.verification("entries", "\(first)", sentences, at: now))
    }

    /// Writes down what is wrong with the published log; called by whoever publishes it, also before anything may be raised.
    ///
    /// - Parameters:
    ///   - subject: What tells it apart from other troubles; nil when the database is the one whose log was published.
    ///   - sentence: What is wrong.
    package func notePublished(_ subject: String?, _ sentence: String) {
        let now = clock.now().wall
        findings.note(CheckSubject(.published), subject == nil ? [] : [sentence], at: now)
        let alert = subject.map { Alert.verification("published", $0, [sentence], at: now) }
        publishedAlert.withLock { $0 = alert }
    }

    /// Raises an alert of what is wrong with the published log, unless it was raised before.
    ///
    /// - Throws: `unavailable` when the storage fails.
    package func tellPublished() async throws {
        if let alert = publishedAlert.withLock(\.self) { try await raise(alert) }
    }

    /// Returns whether the trail has words of an erasure; nil when not all of it is entered in the search index.
    private func trailSays(_ words: String) async throws -> Bool? {
        guard try await index.refresh(from: events, maximumEvents: Self.enteredEvents) else { return nil }
        let filter = EventFilter(app: TrailEvent.app, activity: TrailEvent.erased, text: words)
        let page = try await index.search(filter, SearchRange(limit: 10), in: events, clock: clock)
        return page.hits.contains { !$0.isChanged }
    }

    // MARK: - Keeping

    /// Takes up the checks where an earlier process was.
    func restoreChecks() {
        guard let checkFile else { return }
        do {
            guard let kept = try checkFile.read() else { return }
            check.withLock { $0 = StoreCheck(signedBy: keys, from: kept.position, last: kept.last) }
            holdings.withLock { $0 = HoldingCheck(from: kept.nextEntry) }
            findings.restore(kept.findings, isCut: kept.isCut, last: kept.last, current: kept.position?.pass)
        } catch {
            logger.warning("the checks of what is stored begin anew", metadata: ["error": "\(error)"])
            findings.note(
                .startedOver,
                "What was known of the checks of what is stored could not be read: they began anew, and find again what is wrong."
            )
        }
    }

    /// Keeps how far the checks are and what they found, when it is time or something new was found.
    ///
    /// - Parameter isLast: Whether it is kept in any case, because the server ends.
    package func keepChecks(isLast: Bool = false) {
        guard let checkFile else { return }
        let (now, changes) = (clock.now().monotonicNanoseconds, findings.changes)
        let isDue = keeping.withLock { kept in
            guard let last = kept else { return true }
            return isLast || last.changes != changes || now >= last.nanoseconds &+ Self.keepingNanoseconds
        }
        guard isDue else { return }
        let page = findings.page
        var content = CheckFile.Content()
        (content.position, content.last) = check.withLock { ($0.position, $0.last) }
        content.nextEntry = holdings.withLock(\.next)
        (content.findings, content.isCut) = (page.findings, page.isCut)
        do {
            try checkFile.write(content)
            findings.note(.unkept, nil)
            keeping.withLock { $0 = Kept(changes: changes, nanoseconds: now) }
        } catch {
            findings.note(
                .unkept,
                "How far the checks of what is stored are cannot be kept: after a restart they begin where they were before."
            )
            logger.warning("the checks of what is stored cannot be kept", metadata: ["error": "\(error)"])
        }
    }
}

extension Alert {
    /// An alert that something about the whole store is not as it should be.
    fileprivate static func verification(
        _ what: String,
        _ subject: String,
        _ problems: [String],
        at now: EventInstant
    ) -> Alert {
        var alert = Alert(
            rule: "verification",
            .verifyFailure,
            of: nil,
            subject: [what, subject],
            from: now,
            through: now
        )
        alert.count = UInt64(problems.count)
        alert.detail = problems.first
        return alert
    }
}
