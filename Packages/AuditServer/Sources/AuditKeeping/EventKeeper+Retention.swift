package import AuditModel
package import EventModel
import Synchronization

/// What expires of one app.
public struct RetentionLine: Sendable, Hashable, Codable {
    /// The app.
    public let app: String
    /// After how many days its events expire; nil keeps those of types that are not named.
    public let days: Int?
    /// After how many days events of a type expire, by the type.
    public let events: [String: Int]  // TEXT: types that Unicode takes for one are told as one.
    /// After how many days the entries of its realms go; nil keeps them for ever.
    public let realmHistoryDays: Int?
    /// How many events are to be erased now; nil when nobody counted.
    public let expired: Int?
    /// How many of those are kept, by the names of the holds that keep them.
    public let held: [String: Int]?  // TEXT: holds that Unicode takes for one are told as one.
    /// How many may go by themselves in the next hours, see `ServerConfiguration/retentionShare`; nil when nobody counted.
    public let allowed: Int?
}

/// What an administrator allows to expire beyond what goes by itself.
package struct ExpiryOrder: Sendable, Hashable {
    /// How many events at most.
    package let events: Int
    /// Why.
    package let reason: String

    package init(events: Int, reason: String) {
        self.events = events
        self.reason = reason
    }
}

/// What came of a look for expired events.
package struct ExpiryRun: Sendable {
    /// The records, one for each app of which something went.
    package var records: [ErasureRecord] = []
    /// Whether nothing was left for another run at once.
    package var isDone = true
    /// The clock that it was looked for with.
    package let clock: ClockGuard.State
}

extension EventKeeper {
    static let dayMicroseconds: Int64 = 86_400_000_000

    /// Lists the rules, and what they take now.
    ///
    /// - Parameter counts: Whether events are counted, which reads all that have expired or were erased.
    /// - Returns: A line for each app that has a rule.
    /// - Throws: `unavailable` when the store fails.
    package func retention(counting counts: Bool) async throws -> [RetentionLine] {
        var lines: [RetentionLine] = []
        let apps = Set(rules.keys).union(history?.days.keys ?? [:].keys)  // TEXT: apps, which are ASCII.
        for app in apps.sorted() {
            let rule = rules[app]
            var step: ErasureStep?
            var allowed: Int?
            if counts, let rule {
                var found = ErasureStep()
                let now = clock.now().wall
                try await expired(app, rule, at: now) { _, verdict in
                    if case .held(let name) = verdict { found.held[name, default: 0] += 1 }
                    if verdict == .erase { found.erased += 1 }
                    return true
                }
                step = found
                allowed = try await clockGuard.look(in: store).isBelieved ? allowance(app, rule, at: now) : 0
            }
            lines.append(
                RetentionLine(
                    app: app,
                    days: rule?.days,
                    events: Dictionary(
                        (rule?.events ?? [:]).map { ($0.key.string, $0.value) },
                        uniquingKeysWith: min
                    ),
                    realmHistoryDays: history?.days[app],
                    expired: step?.erased,
                    held: step?.held,
                    allowed: allowed
                )
            )
        }
        return lines
    }

    /// Erases what has expired, some of it at least, unless the clock is doubted.
    ///
    /// - Parameters:
    ///   - actor: Who has it done.
    ///   - order: How many events may go; nil for as many as go by themselves.
    /// - Returns: What came of it.
    /// - Throws: `AuditServerError.kept(reason:)` when somebody orders it and the clock is doubted.
    package func expire(by actor: TrailActor, ordered order: ExpiryOrder? = nil) async throws -> ExpiryRun {
        try await turnstile.pass {
            var run = ExpiryRun(clock: try await clockGuard.look(in: store))
            guard run.clock.isBelieved else {
                if actor != .server { throw AuditServerError.kept(reason: run.clock.doubt) }
                if !rules.isEmpty { concern(run.clock.alert(at: clock.now().wall)) }
                return run
            }
            if let order {
                let subject = "up to \(order.events) events"
                try await trail.record("order expiry", about: subject, because: order.reason, by: actor)
            }
            var ordered = order?.events
            for (app, rule) in rules.sorted(by: { $0.key < $1.key }) {
                let now = clock.now().wall
                var most = ordered ?? 0
                if ordered == nil { most = try await allowance(app, rule, at: now) }
                let limit = min(most, Self.maximumEvents)
                var places: [EventAddress] = []
                var isMore = false
                try await expired(app, rule, at: now) { stored, verdict in
                    guard verdict == .erase else { return true }
                    guard places.count < limit else {
                        isMore = true
                        return false
                    }
                    places.append(stored.address)
                    return true
                }
                if isMore, limit == Self.maximumEvents { run.isDone = false }
                if isMore, limit == most, ordered == nil { concern(Self.alert(app, at: now)) }
                if places.isEmpty { continue }
                run.records.append(try await erase(places, of: app, rule, at: now, by: actor))
                ordered = ordered.map { $0 - places.count }
            }
            return run
        }
    }

    private func erase(
        _ places: [EventAddress],
        of app: String,
        _ rule: RetentionRule,
        at now: EventInstant,
        by actor: TrailActor
    ) async throws -> ErasureRecord {
        let filter = KeepingFilter(app: app, receivedUntil: Self.limit(now, rule.shortestDays))
        let reason = rule.sentence
        let subject = "\(places.count) events: \(try filter.text())"
        try await trail.record("expire events", about: subject, because: reason, by: actor)
        let order = ErasureOrder(kind: .retention, begun: act(actor, reason), filter: filter)
        return try await finish(try await store.begin(order), places, by: actor)
    }

    /// How many events of an app may expire by themselves now.
    ///
    /// - Complexity: O(*n*) in the partitions, and in the erasures since it was asked last.
    private func allowance(_ app: String, _ rule: RetentionRule, at now: EventInstant) async throws -> Int {
        var day = expiredLately.withLock(\.self)
        while true {
            let page = try await store.erasures(after: day.last, limit: 1000)
            for record in page { day.add(record) }
            day.forget(before: now)
            if page.count < 1000 { break }
        }
        var counted = day
        for number in day.unfinished {
            counted.count(Int(clamping: try await store.ranges(of: number).result.events), of: number)
        }
        // What has not ended is counted again the next time.
        expiredLately.withLock { $0 = day }
        var total: UInt64 = 0
        var last: PartitionID?
        repeat {
            let page = try await store.partitions(after: last, limit: 1000)
            for record in page where record.app == app { total += record.count }
            last = page.count == 1000 ? page.last?.partition : nil
        } while last != nil
        return counted.allowance(of: app, total: total, share: retentionShare, days: rule.shortestDays)
    }

    private static func alert(_ app: String, at now: EventInstant) -> Alert {
        let day = now.microseconds / dayMicroseconds
        let owner = EventOwner(app: app, user: "")
        var alert = Alert(rule: "retention", .retention, of: owner, subject: ["\(day)"], from: now, through: now)
        alert.detail = "more events have expired than go in a day; an administrator may say how many more"
        return alert
    }

    // MARK: - The clock

    /// Says how the server's clock stands.
    package func clockState() async throws -> ClockGuard.State { try await clockGuard.look(in: store) }

    /// Believes the clock as it is.
    package func believeClock(because reason: String, by actor: TrailActor) async throws -> ClockGuard.State {
        try await turnstile.pass {
            let state = try await clockGuard.look(in: store)
            let subject = "\(state.now), ahead by \(state.aheadSeconds) s"
            try await trail.record("believe clock", about: subject, because: reason, by: actor)
            try clockGuard.believe()
            return try await clockGuard.look(in: store)
        }
    }

    /// Calls the closure with each event of an app that has expired, until it returns false.
    private func expired(
        _ app: String,
        _ rule: RetentionRule,
        at now: EventInstant,
        _ body: (StoredEvent, ErasureJudge.Verdict) throws -> Bool
    ) async throws {
        let judge = ErasureJudge(try await store.holds())
        let newest = Self.limit(now, rule.shortestDays)
        try await partitions(KeepingFilter(app: app)) { partition in
            var goesOn = true
            _ = try await events(of: partition, EventFilter(includesRepeated: true)) { stored in
                // A partition arrives in its order, so that nothing behind a new event is old.
                guard let received = stored.received, received < newest else { return false }
                guard stored.erasure == nil, let event = stored.event, let days = rule.days(of: event.event),
                    received < Self.limit(now, days)
                else { return true }
                goesOn = try body(stored, judge.verdict(on: stored))
                return goesOn
            }
            return goesOn
        }
    }

    static func limit(_ now: EventInstant, _ days: Int) -> EventInstant {
        EventInstant(microseconds: now.microseconds - Int64(days) * dayMicroseconds)
    }
}

extension RetentionRule {
    /// The rule in words, as the reason of its erasures.
    fileprivate var sentence: String {
        let types = events.sorted { $0.key < $1.key }.map { "'\($0.key)' for \($0.value) days" }
        let all = days.map { ["events are kept for \($0) days"] } ?? []
        return (all + types).joined(separator: ", ")
    }
}

extension ClockGuard.State {
    /// Why nothing is destroyed.
    package var doubt: String {
        "the server's clock says \(now), which is \(aheadSeconds / 3600) hours ahead of where it should be; have it set, or say that it is right"
    }

    /// The alert that says so, one a day.
    package func alert(at now: EventInstant) -> Alert {
        let day = now.microseconds / 86_400_000_000
        var alert = Alert(rule: "clock", .clock, of: nil, subject: ["\(day)"], from: now, through: now)
        alert.detail =
            "the server's clock is \(aheadSeconds / 3600) hours ahead of where it should be; nothing expires until it is set, or an administrator says that it is right"
        return alert
    }
}
