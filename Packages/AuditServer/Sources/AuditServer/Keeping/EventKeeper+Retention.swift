import EventModel

/// What expires of one app.
public struct RetentionLine: Sendable, Hashable, Codable {
    /// The app.
    public let app: String
    /// After how many days its events expire; nil keeps those of types that are not named.
    public let days: Int?
    /// After how many days events of a type expire, by the type.
    public let events: [String: Int]  // TEXT: types that Unicode takes for one are told as one.
    /// How many events are to be erased now; nil when nobody counted.
    public let expired: Int?
    /// How many of those are kept, by the names of the holds that keep them.
    public let held: [String: Int]?  // TEXT: holds that Unicode takes for one are told as one.
}

extension EventKeeper {
    private static let dayMicroseconds: Int64 = 86_400_000_000

    /// The apps whose events expire, in order.
    private var rules: [(app: String, rule: RetentionRule)] {
        configuration.apps.compactMap { app, settings in settings.retention.map { (app, $0) } }
            .sorted { $0.app < $1.app }
    }

    /// Lists the rules, and what they take now.
    ///
    /// - Parameter counts: Whether events are counted, which reads all that have expired or were erased.
    /// - Returns: A line for each app that has a rule.
    /// - Throws: `unavailable` when the store fails.
    func retention(counting counts: Bool) async throws -> [RetentionLine] {
        var lines: [RetentionLine] = []
        for (app, rule) in rules {
            var step: ErasureStep?
            if counts {
                var found = ErasureStep()
                try await expired(app, rule, at: clock.now().wall) { _, verdict in
                    if case .held(let name) = verdict { found.held[name, default: 0] += 1 }
                    if verdict == .erase { found.erased += 1 }
                    return true
                }
                step = found
            }
            lines.append(
                RetentionLine(
                    app: app,
                    days: rule.days,
                    events: Dictionary(rule.events.map { ($0.key.string, $0.value) }, uniquingKeysWith: min),
                    expired: step?.erased,
                    held: step?.held
                )
            )
        }
        return lines
    }

    /// Erases what has expired, some of it at least.
    ///
    /// - Returns: The records, one for each app of which something went, and whether nothing was left for another run.
    func expire(by actor: TrailActor) async throws -> (records: [ErasureRecord], isDone: Bool) {
        try await turnstile.pass {
            var records: [ErasureRecord] = []
            var isDone = true
            for (app, rule) in rules {
                let now = clock.now().wall
                var places: [EventAddress] = []
                try await expired(app, rule, at: now) { stored, verdict in
                    if verdict == .erase { places.append(stored.address) }
                    return places.count < Self.maximumEvents
                }
                if places.count == Self.maximumEvents { isDone = false }
                if places.isEmpty { continue }
                let filter = KeepingFilter(app: app, receivedUntil: Self.limit(now, rule.shortestDays))
                let reason = rule.sentence
                let subject = "\(places.count) events: \(try filter.text())"
                try await trail.record("expire events", about: subject, because: reason, by: actor)
                let order = ErasureOrder(kind: .retention, begun: act(actor, reason), filter: filter)
                records.append(try await finish(try await store.begin(order), places, by: actor))
            }
            return (records, isDone)
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

    private static func limit(_ now: EventInstant, _ days: Int) -> EventInstant {
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
