package import AuditModel
import EventModel

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
    /// The most entries that one run removes for each app.
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
        let before = Self.limit(clock.now().wall, days)
        guard try await logs.hasEntries(of: ExactText(app), before: before) else { return true }
        let reason = "the log of a realm is kept for \(days) days"
        let subject = "\(app): entries received before \(before)"
        try await trail.record("shorten logs", about: subject, because: reason, by: actor)
        // A hold that is placed meanwhile keeps what is still there.
        let gone = try await logs.shorten(of: ExactText(app), before: before, limit: Self.maximumEntries) {
            try await hold(meaning: app) == nil
        }
        let summary = "\(app): \(gone.entries) entries of \(gone.realms) realms, \(gone.bytes) bytes"
        try await trail.record("shortened logs", about: summary, because: reason, by: actor)
        return gone.isDone
    }
}
