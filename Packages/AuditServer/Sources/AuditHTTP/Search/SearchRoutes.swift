import AuditModel
import AuditReview
import AuditSearch
import EventModel
import HummingbirdCore

/// What the console asks: searches, the volume of events over time, new events, and one event with its proof.
///
/// Each search and each look at an event is entered in the ``AuditTrail`` before it is answered.
struct SearchRoutes: Sendable {
    let store: any EventReading
    let proofs: any PartitionProving & SealLog
    let masks: EventMasks
    let labels: ObjectLabels
    let index: any SearchEngine
    /// The public keys that receipts are signed with, and were.
    let keys: [[UInt8]]
    let trail: AuditTrail
    let clock: any EventClock
    let cursors: CursorSeal

    func add(to api: API) {
        api.get("search", .auditor, search)
        api.get("search/volume", .auditor, volume)
        api.get("search/values", .unlimitedAuditor, values)
        api.get("search/summary", .auditor, summary)
        api.get("search/new", .auditor, new)
        api.get("partitions/:partition/events/:sequence", .auditor, event)
    }

    private struct Answer: Encodable {
        let events: [SearchLine]
        /// Where the page in the other direction ends.
        let before: String?
        /// Where the next page starts; nil behind the last result.
        let after: String?
        /// Whether all stored events are in the index.
        let isCurrent: Bool
    }

    private func search(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let filter = try request.filter(for: access, masks, besides: ResultPaging.names)
        let isCurrent = try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
        let paging = try ResultPaging(
            request,
            Listing(request, context, "search", cursors),
            generation: await index.generation(),
            order: "newest",
            limit: 50
        )
        let page = try await index.search(filter, paging.range, in: store, clock: clock)
        if paging.isNew { try await trail.record("search", about: request.uri.query, by: context) }
        return try .json(
            Answer(
                events: paging.hits(of: page).map { SearchLine($0, labels, cursor: try paging.text(of: $0.cursor)) },
                before: paging.start(of: page),
                after: paging.end(of: page),
                isCurrent: isCurrent
            )
        )
    }

    private func volume(_ request: Request, _: AuditRequestContext, _ access: EventAccess) async throws -> Response {
        let filter = try request.filter(for: access, masks, besides: ["bars"])
        let bars = try request.number("bars", in: 2...500, default: 60)
        try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
        return try .json(await index.volume(of: filter, bars: bars, clock: clock))
    }

    private func summary(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let filter = try request.filter(for: access, masks, besides: ["limit"])
        let limit = try request.number("limit", in: 1...500, default: 50)
        try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
        let summary = try await index.summary(of: filter, limit: limit, clock: clock)
        try await trail.record("summarize", about: request.uri.query, by: context)
        return try .json(summary)
    }

    /// Answers whoever may read everything: the index does not know of values who may read them.
    private func values(_ request: Request, _: AuditRequestContext, _: EventAccess) async throws -> Response {
        let kinds = SearchValue.Kind.allCases.map(\.rawValue)
        let name = try request.choice("of", of: kinds)
        guard let kind = SearchValue.Kind(rawValue: name) else {
            preconditionFailure("The choice is one of the kinds.")
        }
        let limit = try request.number("limit", in: 1...1000, default: 100)
        try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
        return try .json(await index.values(kind, limit: limit))
    }

    private struct News: Encodable {
        let events: [SearchLine]
        /// What to ask with for what arrives later.
        let last: String
        /// Whether there is more at once.
        let isMore: Bool
        /// Whether this server did not know the position, so that what came before `last` may be missing.
        let beginsAnew: Bool
    }

    private func new(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws -> Response
    {
        let filter = try request.filter(for: access, masks, besides: ["last"])
        try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
        let listing = Listing(request, context, "search/new", cursors)
        var events: [SearchLine] = []
        let news = try await index.news(listing, try listing.position("last", of: request), filter, in: store) { hits in
            events = hits.map { SearchLine($0, labels) }
            return hits.count
        }
        if news.isNew { try await trail.record("follow", about: request.uri.query, by: context) }
        return try .json(
            News(
                events: events,
                last: news.cursor,
                isMore: news.isMore,
                beginsAnew: news.beginsAnew
            )
        )
    }

    private func event(_: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws -> Response {
        let partition = try context.partition()
        let sequence = try context.sequence()
        let (stored, record) = try await store.event(sequence, of: partition, access)
        try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
        try await trail.record("view event", about: "\(partition.value)/\(sequence)", by: context)
        return try .json(
            try await EventDetail(stored, in: record, labels, store, proofs, index, access, signedBy: keys)
        )
    }
}
