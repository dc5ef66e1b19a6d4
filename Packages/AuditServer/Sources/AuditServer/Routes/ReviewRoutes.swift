import EventModel
import EventProofs
import Hummingbird

/// Reviews: plan and end them, list what is due, and sign off.
struct ReviewRoutes: Sendable {
    /// The largest body, in bytes.
    private static let maximumBytes = 32_768

    let desk: ReviewDesk
    let accounts: any AccountStore
    let configuration: ServerConfiguration
    let ids: any ObjectIdSource

    private struct Plan: Decodable {
        let view: String
        let period: String
        let zone: String
        let who: String?
    }

    private struct Signature: Decodable {
        let outcome: String
        let through: String
        let note: String?
        let reason: String?
    }

    func add(to api: RouterGroup<AuditRequestContext>) {
        api.get("reviews") { _, context in try await list(context) }
        api.post("reviews") { request, context in try await plan(request, context) }
        api.delete("reviews/:review") { _, context in try await end(context) }
        api.get("reviews/:review/signatures") { _, context in try await signatures(context) }
        api.post("reviews/:review/signatures") { request, context in try await sign(request, context) }
    }

    private func list(_ context: AuditRequestContext) async throws -> Response {
        let access = try context.auditor(configuration)
        _ = try await desk.catchUp(maximumEvents: SearchRoutes.refreshedEvents)
        try await desk.trail.record("list reviews", about: nil, by: context)
        let now = desk.clock.now().wall
        var lines: [ReviewLine] = []
        for state in states() where state.review.scope.isVisible(to: access) {
            lines.append(try await line(state, now, access))
        }
        return try .json(lines.sorted { ($0.due, $0.name) < ($1.due, $1.name) })
    }

    private func states() -> [ReviewState] {
        desk.read { book in book.reviews.map { ReviewState($0.value, in: book) } }
    }

    private func line(_ state: ReviewState, _ now: EventInstant, _ access: EventAccess) async throws -> ReviewLine {
        let through = max(state.from, desk.latestThrough)
        let events = try await desk.events(of: state.review, from: state.from, through: through, for: access)
        return ReviewLine(
            state,
            through: through,
            now: now,
            events: events,
            alerts: desk.alerts(of: state.review, from: state.from, through: through, for: access),
            last: desk.read { $0.signOffs[state.review.id]?.last }
        )
    }

    private func plan(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        let access = try context.reviewer(configuration)
        let form = #"{"view": "…", "period": "daily", "zone": "Europe/Zurich", "who": "…"}"#
        let plan = try await request.json(Plan.self, upTo: Self.maximumBytes, form: form)
        _ = try await desk.catchUp(maximumEvents: SearchRoutes.refreshedEvents)
        let author = try await accounts.author(of: context)
        guard let view = desk.read({ $0.view(plan.view) })?.value, view.isVisible(to: author, access) else {
            throw AuditServerError.missing(what: "there is no such view")
        }
        guard let period = ReviewSchedule.Period(rawValue: plan.period) else {
            let names = ReviewSchedule.Period.allCases.map(\.rawValue).joined(separator: ", ")
            throw AuditServerError.rejected(reason: "'period' is one of \(names)")
        }
        guard let schedule = ReviewSchedule(period, zone: plan.zone) else {
            throw AuditServerError.rejected(reason: "'zone' is the name of a time zone, such as Europe/Zurich")
        }
        guard desk.read(\.reviewCount) < Review.maximumCount else {
            throw AuditServerError.rejected(reason: "there are \(Review.maximumCount) reviews; end some first")
        }
        let now = desk.clock.now().wall
        let review = Review(
            id: ids.next().stringValue,
            view: view.id,
            name: view.name,
            query: view.query,
            scope: view.scope,
            schedule: schedule,
            who: try plan.who.map { try WrittenText.line($0, "'who'", upTo: SavedView.maximumNameBytes) },
            begins: now,
            author: author
        )
        try await desk.write(.review(review), about: "\(view.name), \(period.rawValue)", by: context)
        let state = desk.read { ReviewState(review, in: $0) }
        return try .json(await line(state, now, access))
    }

    private func end(_ context: AuditRequestContext) async throws -> Response {
        let review = try await review(context, try context.reviewer(configuration))
        try await desk.write(.reviewEnd(review.id), about: review.name, by: context)
        return Response(status: .noContent)
    }

    private func signatures(_ context: AuditRequestContext) async throws -> Response {
        let review = try await review(context, try context.auditor(configuration))
        try await desk.trail.record("list signatures", about: review.name, by: context)
        return try .json(desk.read { $0.signOffs[review.id] ?? [] }.reversed().map(SignOffLine.init))
    }

    private func sign(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        let access = try context.reviewer(configuration)
        let form = #"{"outcome": "noFinding", "through": "2026-01-31T08:30:00.000000Z", "note": "…", "reason": "…"}"#
        let signature = try await request.json(Signature.self, upTo: Self.maximumBytes, form: form)
        let review = try await review(context, access)
        guard let outcome = SignOff.Outcome(rawValue: signature.outcome) else {
            throw AuditServerError.rejected(reason: "'outcome' is noFinding or finding")
        }
        let note = try signature.note.map { try WrittenText.lines($0, "'note'", upTo: Note.maximumBytes) }
        let reason = try signature.reason.map { try WrittenText.lines($0, "'reason'", upTo: Note.maximumBytes) }
        guard outcome == .noFinding || note != nil else {
            throw AuditServerError.rejected(reason: "a finding needs a note that says what was found")
        }
        let from = desk.read { $0.covered(of: review) }
        guard let through = EventInstant(signature.through), through > from, through <= desk.latestThrough else {
            throw AuditServerError.rejected(
                reason: "'through' is the time that the list of reviews said, behind the last signature"
            )
        }
        let events = try await desk.events(of: review, from: from, through: through, for: access)
        let (size, root) = try await desk.store.withLog(durably: true) { tree in
            (tree.count, try tree.root(at: tree.count))
        }
        let signOff = SignOff(
            review: review.id,
            query: review.query,
            from: from,
            through: through,
            events: events.flatMap { $0.isExact ? $0.count : nil },
            alerts: desk.alerts(of: review, from: from, through: through, for: access),
            logSize: size,
            logRoot: root,
            outcome: outcome,
            note: note,
            author: try await accounts.author(of: context)
        )
        let place = try await desk.write(.signOff(signOff), about: review.name, because: reason, by: context)
        return try .json(SignOffLine(.init(value: signOff, place: place)))
    }

    /// Returns the review that the path names; one that somebody may not know of is as if it were not there.
    private func review(_ context: AuditRequestContext, _ access: EventAccess) async throws -> Review {
        let id = try context.id("review", "there is no such review")
        _ = try await desk.catchUp(maximumEvents: SearchRoutes.refreshedEvents)
        guard let review = desk.read({ $0.review(id) })?.value, review.scope.isVisible(to: access) else {
            throw AuditServerError.missing(what: "there is no such review")
        }
        return review
    }
}
