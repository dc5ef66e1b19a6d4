import AuditModel
import AuditReview
import AuditSearch
import AuditVerifying
import EventModel
import HTTPTypes
import HummingbirdCore

/// The listings of events, of partitions, and of the leaves that proofs are computed from; of everything that an auditor may read.
///
/// The first page of each listing is entered in the ``AuditTrail`` before it is answered; turning pages is the same listing.
struct ListingRoutes: Sendable {
    /// A bound for the texts of one page, in bytes; while a page is made, its events are in memory more than once.
    private static let pageBytes = 2_097_152
    /// A bound for what is sent of it, in bytes: as JSON a text may have six times as many.
    ///
    /// A page has one event in any case.
    private static let answerBytes = 4_194_304

    let store: any EventReading
    let trail: AuditTrail
    let cursors: CursorSeal

    func add(to api: API) {
        api.get("events", .auditor, listEvents)
        api.get("partitions", .auditor, listPartitions)
        api.get("partitions/:partition/leaves", .auditor, listLeaves)
    }

    private func listEvents(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        var filter = try request.filter(besides: ["after", "limit"])
        filter.access = access
        let listing = Listing(request, context, "events", cursors)
        let position = try listing.eventPosition(of: request)
        let page = try await store.events(
            filter,
            after: position?.cursor,
            limit: request.number("limit", in: 1...10_000, default: 1000),
            maximumBytes: Self.pageBytes
        )
        if position?.isOfThis != true { try await trail.record("list events", about: request.uri.query, by: context) }
        let (lines, count) = try EventLine.lines(page.events.lazy.map(EventLine.init), maximumBytes: Self.answerBytes)
        let last = count < page.events.count ? page.events[count - 1] : nil
        let next = last.map { EventCursor(partition: $0.partition, sequence: $0.sequence) } ?? page.next
        return .lines(lines, next: try listing.cursor(after: next))
    }

    private func listPartitions(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let limit = try request.number("limit", in: 1...1000, default: 1000)
        var records: [PartitionRecord] = []
        let listing = Listing(request, context, "partitions", cursors)
        let position = try listing.eventPosition(of: request)
        var last = position?.cursor.partition
        var byteCount = 0
        var isFull = false
        // Partitions that the auditor may not read leave no trace, also none in the size of pages.
        while !isFull {
            let page = try await store.partitions(after: last, limit: limit)
            guard !page.isEmpty else { break }
            last = page.last?.partition
            for record in page where access.includes(record.partition, of: record.owner) {
                byteCount += record.estimatedBytes
                isFull = records.count == limit || !records.isEmpty && byteCount > SealPage.maximumBytes
                if isFull { break }
                records.append(record)
            }
        }
        if position?.isOfThis != true {
            try await trail.record("list partitions", about: request.uri.query, by: context)
        }
        var response = try Response.json(records)
        if let last = records.last, isFull {
            response.headers[.nextCursor] = try listing.cursor(
                after: EventCursor(partition: last.partition, sequence: 0)
            )
        }
        return response
    }

    private func listLeaves(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let partition = try context.partition()
        let listing = Listing(request, context, "leaves", cursors)
        // A number is a position, too, for whoever goes on where an audit ended; a cursor alone is one of this listing.
        let number = request.query("after").map { $0.utf8.count < 20 } ?? true
        let position = number ? nil : try listing.eventPosition(of: request)
        guard position.map({ $0.cursor.partition == partition }) ?? true else {
            throw AuditServerError.foreignCursor("after")
        }
        let after: UInt64 =
            try position?.cursor.sequence ?? request.number("after", in: 0...UInt64(Int64.max), default: 0)
        let page = try await store.events(
            EventFilter(partition: partition, includesRepeated: true, access: access),
            after: EventCursor(partition: partition, sequence: after),
            limit: request.number("limit", in: 1...10_000, default: 1000),
            maximumBytes: Self.pageBytes
        )
        if position?.isOfThis != true { try await trail.record("read leaves", about: partition.value, by: context) }
        let (lines, count) = try EventLine.lines(page.events.lazy.map(StoredLeaf.init), maximumBytes: Self.answerBytes)
        let last = count < page.events.count ? page.events[count - 1] : nil
        let next = last.map { EventCursor(partition: $0.partition, sequence: $0.sequence) } ?? page.next
        return .lines(lines, next: try listing.cursor(after: next))
    }
}

extension PartitionRecord {
    /// About how many bytes it has as JSON: its ledger alone can be long.
    fileprivate var estimatedBytes: Int { 1000 + 400 * (seal?.losses.count ?? 0) }
}

extension Listing {
    /// Reads the position of the page before.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it is none of this listing.
    fileprivate func eventPosition(
        of request: Request
    ) throws(AuditServerError) -> (cursor: EventCursor, isOfThis: Bool)? {
        guard let position = try position("after", of: request) else { return nil }
        guard let text = String(validating: position.bytes, as: UTF8.self), let cursor = EventCursor(text: text) else {
            throw .foreignCursor("after")
        }
        return (cursor, position.isOfThis)
    }

    /// Makes the cursor of the next page; nil behind the last.
    fileprivate func cursor(after position: EventCursor?) throws(AuditServerError) -> String? {
        guard let position else { return nil }
        return try cursor(Array(position.text.utf8))
    }
}
