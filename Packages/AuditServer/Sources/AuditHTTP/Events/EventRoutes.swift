import AuditModel
import AuditReview
import AuditSearch
import EventModel
import HTTPTypes
import HummingbirdCore

/// What `daybook` asks of single events: those that arrive, and the one that has an id.
struct EventRoutes: Sendable {
    /// How many events one request enters into the index at most, so that it stays quick.
    private static let refreshedEvents = 2000

    let store: any EventReading
    let masks: EventMasks
    let index: any SearchEngine
    let trail: AuditTrail
    let cursors: CursorSeal

    func add(to api: API) {
        api.get("events/new", .auditor, new)
        api.get("events/:event", .auditor, place)
    }

    /// Answers with what was stored after a position, whichever partition that is in; without a position, with the one to begin at.
    private func new(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws -> Response
    {
        var filter = try request.filter(besides: ["after"])
        filter.access = access
        try masks.check(filter)
        try await index.refresh(from: store, maximumEvents: Self.refreshedEvents)
        let listing = Listing(request, context, "events/new", cursors)
        let position = try listing.position("after", of: request)
        var lines: [UInt8] = []
        let news = try await index.news(listing, position, filter, in: store) { hits in
            let (bytes, count) = try EventLine.lines(
                hits.lazy.map { EventLine($0.stored) },
                maximumBytes: SearchRange.pageBytes
            )
            lines = bytes
            return count
        }
        if news.isNew { try await trail.record("follow", about: request.uri.query, by: context) }
        var response = Response.lines(lines, next: news.cursor)
        if news.isMore { response.headers[.isMore] = "true" }
        if news.beginsAnew { response.headers[.beginsAnew] = "true" }
        return response
    }

    private struct Place: Encodable {
        let partition: PartitionID
        let sequence: UInt64
    }

    /// Answers with the place of the event that has an id; what is there is asked for, and recorded, by the place.
    private func place(_: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws -> Response {
        guard let id = context.pathPart("event").flatMap({ try? ObjectId(string: $0) }) else {
            throw AuditServerError.rejected(reason: "the id of an event is 24 hexadecimal digits")
        }
        for address in try await store.addresses(of: id) {
            guard let record = try await store.partition(address.partition),
                access.includes(address.partition, of: record.owner)
            else { continue }
            try await trail.record("find event", about: "\(id)", by: context)
            return try .json(Place(partition: address.partition, sequence: address.sequence))
        }
        throw AuditServerError.missing(what: "no event has this id")
    }
}
