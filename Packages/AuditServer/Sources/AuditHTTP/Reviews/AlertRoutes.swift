import AuditModel
import AuditReview
import EventModel
import HummingbirdCore

/// Alerts: list, count and acknowledge them.
struct AlertRoutes: Sendable {
    /// The largest body, in bytes.
    private static let maximumBytes = 16_384

    let desk: ReviewDesk
    let accounts: any AccountStore

    private struct Answer: Encodable {
        let alerts: [AlertLine]
        /// What to ask with for the next page; nil on the last.
        let after: String?
        /// How many are open, as far as whoever asks may know of them.
        let open: Int
        /// Whether all stored events were looked at.
        let isCurrent: Bool
    }

    private struct Reason: Decodable {
        let reason: String
    }

    func add(to api: API) {
        api.get("alerts", .auditor, list)
        api.get("alerts/count", .auditor, count)
        api.post("alerts/:alert/acknowledgement", .reviewer, acknowledge)
    }

    private func count(_: Request, _: AuditRequestContext, _ access: EventAccess) async throws -> Response {
        _ = try await desk.catchUp(maximumEvents: IndexingBudget.request)
        // A number, which pages ask for again and again; looking at the alerts themselves is recorded.
        return try .json(["open": desk.read { $0.alerts(for: access, isOpen: true).count }])
    }

    private func list(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let names: Set<Substring> = ["state", "limit", "after"]
        guard request.uri.queryParameters.allSatisfy({ names.contains($0.key) }) else {
            throw AuditServerError.rejected(reason: "the parameters are state, limit and after")
        }
        let state = try request.choice("state", of: ["open", "acknowledged", "all"])
        let limit = try request.number("limit", in: 1...500, default: 100)
        let isCurrent = try await desk.catchUp(maximumEvents: IndexingBudget.request)
        // As in the background: nothing is raised before it is known what was raised before. That it is not known at this moment, because
        // all partitions are to be looked at again, keeps nobody from what is due.
        if isCurrent || desk.hasCaughtUp { try await desk.watchLog() }
        try await desk.trail.record("list alerts", about: request.uri.query, by: context)
        let open = desk.read { $0.alerts(for: access, isOpen: true) }
        let all = state == "open" ? open : desk.read { $0.alerts(for: access, isOpen: state == "all" ? nil : false) }
        var rest = all[...]
        if let after = request.query("after") {
            guard let place = rest.firstIndex(where: { $0.alert.id == after }) else {
                throw AuditServerError.rejected(reason: "'after' is not a cursor of this server")
            }
            rest = rest[(place + 1)...]
        }
        let page = rest.prefix(limit)
        return try await .json(
            Answer(
                alerts: lines(page),
                after: page.count < rest.count ? page.last?.alert.id : nil,
                open: open.count,
                isCurrent: isCurrent
            )
        )
    }

    private func acknowledge(_ request: Request, _ context: AuditRequestContext, _ reviewer: Reviewer) async throws
        -> Response
    {
        let id = try context.id("alert", "there is no such alert")
        let body = try await request.json(Reason.self, upTo: Self.maximumBytes, form: #"{"reason": "…"}"#)
        let reason = try WrittenText.lines(body.reason, "'reason'", upTo: Note.maximumBytes)
        _ = try await desk.catchUp(maximumEvents: IndexingBudget.request)
        guard let raised = desk.read({ $0.alerts[id] }), raised.alert.isVisible(to: reviewer.access) else {
            throw AuditServerError.missing(what: "there is no such alert")
        }
        guard raised.acknowledged == nil else {
            throw AuditServerError.rejected(reason: "the alert was acknowledged before")
        }
        let author = try await accounts.author(of: context)
        let acknowledgement = Acknowledgement(alert: id, reason: reason, author: author)
        let about = "\(raised.alert.kind.rawValue): \(raised.alert.rule)"
        try await desk.write(.acknowledgement(acknowledgement), about: about, because: reason, by: context.actor)
        guard let now = desk.read({ $0.alerts[id] }) else {
            throw AuditServerError.missing(what: "there is no such alert")
        }
        return try await .json(lines([now])[0])
    }

    /// Says alerts; of an emergency access also what its event says, so that nobody has to open each to know whose record it was.
    private func lines(_ alerts: some Collection<ReviewBook.Raised>) async throws -> [AlertLine] {
        let places = alerts.map { $0.alert.kind == .breakGlass ? $0.alert.place : nil }
        var shown: [EventAddress: AlertLine.Shown] = [:]
        let found = try await desk.events.events(
            at: places.compactMap(\.self),
            maximumBytes: SearchRange.pageBytes
        )
        for stored in found.events where stored.contentHash == stored.leaf {
            let place = EventAddress(partition: stored.partition, sequence: stored.sequence)
            shown[place] = stored.event.map { AlertLine.Shown($0) }
        }
        return zip(alerts, places).map { AlertLine($0, shown: $1.flatMap { shown[$0] }) }
    }
}
