package import AuditModel
import EventModel
import Synchronization

/// How long the logs of the realms that devices share are kept.
package struct RealmHistory: Sendable {
    /// The logs.
    package let logs: any RealmLogs
    /// After how many days entries go, by the apps that say so; those of others stay for ever.
    package let days: [String: Int]  // TEXT: apps, which are ASCII.

    package init(logs: any RealmLogs, days: [String: Int]) {  // TEXT: as above.
        self.logs = logs
        self.days = days
    }
}

extension EventKeeper {
    /// The most entries that one run removes for each app; see ``RetentionDay`` for a day.
    package static let maximumEntries = 100_000

    /// Removes what is too old from the logs of realms, unless the clock is doubted or a hold may mean the app.
    ///
    /// - Parameter actor: Who has it done.
    /// - Returns: Whether nothing was left for another run at once.
    /// - Throws: What the store and the trail throw; what went until then stays gone.
    package func shortenLogs(by actor: TrailActor) async throws -> Bool {
        guard let history, !history.days.isEmpty else { return true }
        return try await turnstile.pass {
            let clock = try await clockGuard.look(in: store)
            guard clock.isBelieved else {
                if actor != .server { throw AuditServerError.kept(reason: clock.doubt) }
                concern(clock.alert(at: self.clock.now().wall))
                return true
            }
            var isDone = true
            for (app, days) in history.days.sorted(by: { $0.key < $1.key }) {
                if try await hold(meaning: app) != nil { continue }
                if try await !shortenLogs(of: app, after: days, history.logs, by: actor) { isDone = false }
            }
            return isDone
        }
    }

    /// Returns a hold that may keep something of an app's realms, whose entries have no filter of their own.
    package func hold(meaning app: String) async throws -> LegalHold? {
        try await store.holds()
            .first { hold in
                hold.lifted == nil && (hold.filter.app ?? app) == app  // TEXT: apps, which are ASCII.
            }
    }

    private func shortenLogs(
        of app: String,
        after days: Int,
        _ logs: any RealmLogs,
        by actor: TrailActor
    ) async throws -> Bool {
        let now = clock.now().wall
        let before = Self.limit(now, days)
        guard try await logs.hasEntries(of: ExactText(app), before: before) else { return true }
        let most = try await allowance(app, days, logs, at: now)
        guard most > 0 else {
            concern(Self.logAlert(app, at: now))
            return true
        }
        let reason = "the log of a realm is kept for \(days) days"
        let subject = "\(app): entries received before \(before)"
        try await trail.record("shorten logs", about: subject, because: reason, by: actor)
        // A hold that is placed meanwhile keeps what is still there.
        let limit = min(most, Self.maximumEntries)
        let gone = try await logs.shorten(of: ExactText(app), before: before, limit: limit) {
            try await hold(meaning: app) == nil
        }
        shortenedLately.withLock { $0.add(gone.entries, of: app, at: now) }
        let summary = "\(app): \(gone.entries) entries of \(gone.realms) realms, \(gone.bytes) bytes"
        try await trail.record("shortened logs", about: summary, because: reason, by: actor)
        guard !gone.isDone, gone.entries == most else { return gone.isDone }
        concern(Self.logAlert(app, at: now))
        return true
    }

    /// How many entries of an app's realms may go now: a number of days that is too small takes a part of them each day, and not all.
    private func allowance(
        _ app: String,
        _ days: Int,
        _ logs: any RealmLogs,
        at now: EventInstant
    ) async throws -> Int {
        let total = UInt64(clamping: try await logs.entryCount(of: ExactText(app)))
        return shortenedLately.withLock { day in
            day.forget(before: now)
            return day.allowance(of: app, total: total, share: retentionShare, days: days)
        }
    }

    private static func logAlert(_ app: String, at now: EventInstant) -> Alert {
        let day = now.microseconds / dayMicroseconds
        let owner = EventOwner(app: app, user: "")
        var alert = Alert(
            rule: "retention",
            .retention,
            of: owner,
            subject: ["logs", "\(day)"],
            from: now,
            through: now
        )
        alert.detail = "more entries of realms' logs are too old than go in a day; the rest goes on the next days"
        return alert
    }
}
