import AuditModel
import AuditReview
import AuditSearch
import EventModel
import HummingbirdCore

/// What the console asks to show a session: events in the order of the devices' clocks, and their scopes.
struct TimelineRoutes: Sendable {
    let store: any EventReading
    let masks: EventMasks
    let labels: ObjectLabels
    let index: any SearchEngine
    let trail: AuditTrail
    let clock: any EventClock
    let cursors: CursorSeal

    func add(to api: API) {
        api.get("timeline", .auditor, timeline)
    }

    private struct Answer: Encodable {
        let scopes: [SessionTimeline.Scope]
        let events: [SessionTimeline.Entry]
        /// What to ask for the page in front of this one.
        let before: String?
        /// What to ask for the page behind this one.
        let after: String?
        /// Whether all stored events are in the index.
        let isCurrent: Bool
    }

    private func timeline(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let filter = try request.filter(for: access, masks, besides: ["after", "before", "limit"])
        let isCurrent = try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
        let paging = try ResultPaging(
            request,
            Listing(request, context, "timeline", cursors),
            generation: await index.generation(),
            order: "oldest",
            limit: 200
        )
        let page = try await index.search(filter, paging.range, in: store, clock: clock)
        if paging.isNew { try await trail.record("view timeline", about: request.uri.query, by: context) }
        let session = try await SessionTimeline(paging.hits(of: page), labels) {
            try await store.events(at: $0, maximumBytes: SearchRange.pageBytes)
        }
        return try .json(
            Answer(
                scopes: session.scopes,
                events: session.events,
                before: paging.start(of: page),
                after: paging.end(of: page),
                isCurrent: isCurrent
            )
        )
    }
}
