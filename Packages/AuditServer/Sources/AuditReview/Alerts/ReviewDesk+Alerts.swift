package import AuditModel
import EventModel
import EventProofs
import Logging
import Synchronization

extension ReviewDesk {
    /// How many alerts one rule raises in a day, in UTC; of more, one says that there are more.
    package static let dailyAlerts = 200
    /// How many entries of the log are looked at in one pass.
    private static let logEntries = 5000
    /// How many conflicts are looked at in one pass.
    private static let conflicts = 500
    /// How many events of a person's past are read at most.
    private static let pastEvents = 4000

    // MARK: - Raising

    /// Raises an alert, unless it was raised before.
    ///
    /// - Throws: `unavailable` when the storage fails.
    package func raise(_ alert: Alert) async throws {
        guard read({ $0.alerts[alert.id] == nil }) else { return }
        let day = clock.now().wall.microseconds / 86_400_000_000
        var many = Alert(
            rule: alert.rule,
            .manyAlerts,
            of: alert.app.map { EventOwner(app: $0, user: "") },
            subject: ["\(day)"],
            from: alert.from,
            through: alert.through
        )
        many.detail = "more than \(Self.dailyAlerts) alerts of this rule in a day; search for the others"
        let isFull = read { book in
            if book.alerts[many.id] != nil { return true }
            return book.alerts.values.count { raised in
                raised.alert.rule == alert.rule && raised.alert.app == alert.app
                    && raised.place.time.microseconds / 86_400_000_000 == day
            } >= Self.dailyAlerts
        }
        let raised = isFull ? many : alert
        guard read({ $0.alerts[raised.id] == nil }) else { return }
        try await write(.alert(raised), about: "\(raised.kind.rawValue): \(raised.rule)", by: nil)
        metrics.didRaise(raised.kind)
        // Who and what it is about stands in the trail alone.
        logger.notice("alert raised", metadata: ["kind": "\(raised.kind.rawValue)", "alert": "\(raised.id)"])
    }

    // MARK: - Events

    /// Looks at new events for what the rules describe.
    package func watch(_ events: [StoredEvent]) async throws {
        guard !settings.rules.isEmpty else { return }
        let watched = events.compactMap { WatchedEvent($0, personColumn: settings.personColumn) }
        guard !watched.isEmpty else { return }
        try await startRules()
        let starts = read(\.ruleStarts)
        let earliest = settings.rules.compactMap { starts[$0.name] }.min()
        // What an alert that is forgotten was about is not looked at again.
        let forgotten = read(\.forgottenThrough)
        for event in watched where earliest.map({ event.received >= $0 }) ?? false {
            if let forgotten, event.received <= forgotten { continue }
            for (reader, since) in withWatch({ $0.missing(for: event) }) {
                let past = try await past(of: reader, since: since)
                withWatch { $0.learn(reader, past, since: since) }
            }
            let book = self.book
            let found = withWatch { watch in
                watch.alerts(for: event) { rule, event, from, through in
                    book.hasReading(
                        rule: rule,
                        app: event.owner.app,
                        person: event.person,
                        from: from,
                        through: through
                    )
                }
            }
            for alert in found where starts[alert.rule].map({ event.received >= $0 }) ?? false {
                try await raise(alert)
            }
        }
    }

    /// Notes in the trail since when each rule is in force, so that events before that are never looked at, also not when the
    /// search index is made anew.
    private func startRules() async throws {
        for rule in settings.rules where read({ $0.ruleStarts[rule.name] == nil }) {
            try await write(.ruleStart(RuleStart(rule: rule.name, since: started)), about: rule.name, by: nil)
        }
    }

    private func past(of reader: AlertWatch.Reader, since: EventInstant) async throws -> [WatchedEvent] {
        let filter = EventFilter(app: reader.app, person: reader.person.string, event: "read", since: since)
        var range = SearchRange(isNewestFirst: false, limit: 500)
        var found: [WatchedEvent] = []
        repeat {
            let page = try await index.search(filter, range, in: events, clock: clock)
            found += page.hits.compactMap { WatchedEvent($0.stored, personColumn: settings.personColumn) }
            range.after = page.next
        } while range.after != nil && found.count < Self.pastEvents
        return found
    }

    // MARK: - The log and the reviews

    /// Looks for gaps, losses, what revoked keys have sealed, and reviews that are overdue.
    ///
    /// - Throws: `unavailable` when the store fails; the next pass goes on.
    package func watchLog() async throws {
        try await watching.pass {
            let now = clock.now().wall
            if settings.findsOverdueReviews {
                let overdue = read { book in book.reviews.compactMap { ReviewState($0.value, in: book).alert(at: now) }
                }
                for alert in overdue { try await raise(alert) }
            }
            try await findConflicts()
            try await findRevoked()
            var count = 0
            while count < Self.logEntries {
                let entries = try await log.logEntries(from: withLogWatch(\.next), limit: Self.logEntries)
                for entry in entries {
                    let loss = withLogWatch { $0.see(entry) }
                    if settings.findsLosses, let loss, isRemembered(entry.received) { try await raise(loss) }
                    try await raiseRevoked(entry)
                }
                count += entries.count
                // With more entries to come, a partition may be among them.
                if entries.isEmpty {
                    if settings.findsGaps { try await findGaps(now) }
                    return
                }
            }
        }
    }

    private func findConflicts() async throws {
        for conflict in try await events.conflicts(after: withLogWatch(\.lastConflict), limit: Self.conflicts) {
            let alert = withLogWatch { $0.see(conflict) }
            if isRemembered(conflict.received) { try await raise(alert) }
        }
    }

    private func findGaps(_ now: EventInstant) async throws {
        let grace = Int64(settings.gapMinutes) * 60_000_000
        var gaps = withLogWatch { $0.overdue(at: now, after: grace) }
        guard !gaps.isEmpty else { return }
        // A partition that two others follow is no end of a chain any more: whoever is missing is looked for in the whole log.
        var index: UInt64 = 0
        while index < withLogWatch(\.next) {
            let entries = try await log.logEntries(from: index, limit: Self.logEntries)
            guard let last = entries.last else { break }
            for entry in entries {
                guard let name = entry.seal.chainName(of: entry.owner) else { continue }
                gaps.removeAll { $0.name == name }
                withLogWatch { $0.settle(name) }
            }
            index = last.index + 1
        }
        for gap in gaps {
            if isRemembered(gap.follower.received) { try await raise(LogWatch.gap(gap.follower)) }
            withLogWatch { $0.settle(gap.name) }
        }
    }

    /// Returns whether an alert about an entry would be known if it had been raised.
    private func isRemembered(_ received: EventInstant) -> Bool {
        read { book in book.forgottenThrough.map { received > $0 } ?? true }
    }
}
