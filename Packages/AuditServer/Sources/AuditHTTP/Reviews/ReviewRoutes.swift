import AuditModel
import AuditReview
import EventModel
import EventProofs
import HTTPTypes
import HummingbirdCore

/// Reviews: plan and end them, list what is due, and sign off.
struct ReviewRoutes: Sendable {
    /// The largest body, in bytes.
    private static let maximumBytes = 32_768
    /// How far ahead a review may begin, in microseconds: a year.
    private static let aheadMicroseconds: Int64 = 366 * 86_400_000_000

    let desk: ReviewDesk
    let accounts: any AccountStore
    let ids: any ObjectIdSource

    private struct Plan: Decodable {
        let view: String
        let period: String
        let zone: String
        let who: String?
        let begins: String?
    }

    private struct Signature: Decodable {
        let outcome: String
        let through: String
        let note: String?
        let reason: String?
    }

    func add(to api: API) {
        api.get("reviews", .auditor, list)
        api.post("reviews", .reviewer, plan)
        api.delete("reviews/:review", .reviewer, end)
        api.get("reviews/:review/signatures", .auditor, signatures)
        api.post("reviews/:review/signatures", .reviewer, sign)
    }

    private func list(_: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws -> Response {
        _ = try await desk.catchUp(maximumEvents: IndexingBudget.request)
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

    private func plan(_ request: Request, _ context: AuditRequestContext, _ reviewer: Reviewer) async throws -> Response
    {
        let form =
            #"{"view": "…", "period": "daily", "zone": "Europe/Zurich", "who": "…", "begins": "2026-01-01T00:00:00Z"}"#
        let plan = try await request.json(Plan.self, upTo: Self.maximumBytes, form: form)
        _ = try await desk.catchUp(maximumEvents: IndexingBudget.request)
        let author = try await accounts.author(of: context)
        guard let view = desk.read({ $0.view(plan.view) })?.value, view.isVisible(to: author, reviewer.access) else {
            throw AuditServerError.missing(what: "the view is not there any more; look at the list of views")
        }
        guard let period = ReviewSchedule.Period(rawValue: plan.period) else {
            let names = ReviewSchedule.Period.allCases.map(\.rawValue).joined(separator: ", ")
            throw AuditServerError.rejected(reason: "how often a review is due ('period') is one of \(names)")
        }
        guard let schedule = ReviewSchedule(period, zone: plan.zone) else {
            throw AuditServerError.rejected(
                reason:
                    "the server knows no such time zone ('zone'); write a continent and a city, such as Europe/Zurich"
            )
        }
        guard desk.read(\.reviewCount) < Review.maximumCount else {
            throw AuditServerError.rejected(reason: "there are \(Review.maximumCount) reviews; end some first")
        }
        let now = desk.clock.now().wall
        let begins = try plan.begins.map { try Self.beginning($0, now) } ?? now
        let review = Review(
            id: ids.next().stringValue,
            view: view.id,
            name: view.name,
            query: view.query,
            scope: view.scope,
            schedule: schedule,
            who: try plan.who.map { try WrittenText.line($0, "who does it ('who')", upTo: SavedView.maximumNameBytes) },
            begins: begins,
            author: author
        )
        try await desk.write(.review(review), about: "\(view.name), \(period.rawValue)", by: context.actor)
        let state = desk.read { ReviewState(review, in: $0) }
        return try .json(await line(state, now, reviewer.access))
    }

    /// Reads the time of receipt from which a review is to cover events; it may lie in the past.
    private static func beginning(_ text: String, _ now: EventInstant) throws(AuditServerError) -> EventInstant {
        guard let begins = EventInstant(text) else {
            throw .rejected(reason: "the time at which the review begins ('begins') is no time of ISO 8601 with a zone")
        }
        guard begins.microseconds >= 0, begins.microseconds - now.microseconds <= aheadMicroseconds else {
            throw .rejected(reason: "a review begins after 1970 and at most a year from now ('begins')")
        }
        return begins
    }

    private func end(_: Request, _ context: AuditRequestContext, _ reviewer: Reviewer) async throws -> Response {
        let review = try await review(context, reviewer.access)
        try await desk.write(.reviewEnd(review.id), about: review.name, by: context.actor)
        return Response(status: .noContent)
    }

    private func signatures(_: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws -> Response
    {
        let review = try await review(context, access)
        try await desk.trail.record("list signatures", about: review.name, by: context)
        return try .json(desk.read { $0.signOffs[review.id] ?? [] }.reversed().map(SignOffLine.init))
    }

    private func sign(_ request: Request, _ context: AuditRequestContext, _ reviewer: Reviewer) async throws -> Response
    {
        let access = reviewer.access
        let form = #"{"outcome": "noFinding", "through": "2026-01-31T08:30:00.000000Z", "note": "…", "reason": "…"}"#
        let signature = try await request.json(Signature.self, upTo: Self.maximumBytes, form: form)
        let review = try await review(context, access)
        guard let outcome = SignOff.Outcome(rawValue: signature.outcome) else {
            throw AuditServerError.rejected(
                reason: "choose whether something was found ('outcome' is noFinding or finding)"
            )
        }
        let note = try signature.note.map { try WrittenText.lines($0, "the note", upTo: Note.maximumBytes) }
        let reason = try signature.reason.map { try WrittenText.lines($0, "the reason", upTo: Note.maximumBytes) }
        guard outcome == .noFinding || note != nil else {
            throw AuditServerError.rejected(reason: "a finding needs a note that says what was found")
        }
        let from = desk.read { $0.covered(of: review) }
        let through = try lastTime(signature.through, of: review, behind: from)
        let events = try await desk.events(of: review, from: from, through: through, for: access)
        let (size, root) = try await desk.log.withLog(durably: true) { tree in
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
        let place = try await desk.write(.signOff(signOff), about: review.name, because: reason, by: context.actor)
        return try .json(SignOffLine(.init(value: signOff, place: place)))
    }

    /// Reads the time up to which somebody signs off, and says in a reader's words why it may not be that one.
    private func lastTime(
        _ text: String,
        of review: Review,
        behind from: EventInstant
    ) throws(AuditServerError) -> EventInstant {
        guard let through = EventInstant(text) else {
            throw .rejected(reason: "the time up to which you sign off ('through') cannot be read; open the list again")
        }
        if through <= from {
            let isSigned = desk.read { !($0.signOffs[review.id] ?? []).isEmpty }
            let reason =
                isSigned
                ? "this was signed off in the meantime, up to \(from); open the list again to see what is new since then"
                : "there is nothing to sign off yet: the review begins at \(from), and what arrives can be signed off ten "
                    + "seconds later"
            throw .rejected(reason: reason)
        }
        guard through <= desk.latestThrough else {
            throw .rejected(
                reason: "what arrived in the last ten seconds may not be complete; sign off what arrived up to "
                    + "\(desk.latestThrough), or wait as long"
            )
        }
        return through
    }

    /// Returns the review that the path names; one that somebody may not know of is as if it were not there.
    private func review(_ context: AuditRequestContext, _ access: EventAccess) async throws -> Review {
        let id = try context.id("review", "the review is not there any more; look at the list of reviews")
        _ = try await desk.catchUp(maximumEvents: IndexingBudget.request)
        guard let review = desk.read({ $0.review(id) })?.value, review.scope.isVisible(to: access) else {
            throw AuditServerError.missing(what: "the review is not there any more; look at the list of reviews")
        }
        return review
    }
}
