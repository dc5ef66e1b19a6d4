import EventModel
import Hummingbird

/// What an auditor does: list events and partitions, and read the leaves that proofs are computed from.
struct AuditRoutes: Sendable {
    /// A bound for the payloads of one page, in bytes.
    private static let pageBytes = 8_388_608

    let store: any EventStore
    let configuration: ServerConfiguration

    func add(to api: RouterGroup<AuditRequestContext>) {
        api.get("events") { request, context in try await events(request, context) }
        api.get("partitions") { request, context in try await partitions(request, context) }
        api.get("partitions/:partition/leaves") { request, context in try await leaves(request, context) }
    }

    private func events(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        let access = try context.auditor(configuration)
        var filter = try request.filter(besides: ["after", "limit"])
        filter.access = access
        let page = try await store.events(
            filter,
            after: request.cursor(),
            limit: request.number("limit", in: 1...10_000, default: 1000),
            maximumBytes: Self.pageBytes
        )
        return .lines(try EventLine.lines(page.events.map(EventLine.init)), next: page.next?.text)
    }

    private func partitions(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        let access = try context.auditor(configuration)
        let limit = try request.number("limit", in: 1...1000, default: 1000)
        var records: [PartitionRecord] = []
        var last = try request.cursor()?.partition
        var isEnd = false
        // Partitions that the auditor may not read leave no trace, also none in the size of pages.
        while records.count < limit && !isEnd {
            let page = try await store.partitions(after: last, limit: limit)
            records += page.filter { access.includes($0.partition, of: $0.owner) }
            last = page.last?.partition
            isEnd = page.count < limit
        }
        let isMore = !isEnd || records.count > limit
        records = Array(records.prefix(limit))
        var response = try Response.json(records)
        if let last = records.last, isMore {
            response.headers[.nextCursor] = EventCursor(partition: last.partition, sequence: 0).text
        }
        return response
    }

    private func leaves(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        let access = try context.auditor(configuration)
        let partition = try context.partition()
        let after: UInt64 = try request.number("after", in: 0...UInt64(Int64.max), default: 0)
        let page = try await store.events(
            EventFilter(partition: partition, includesRepeated: true, access: access),
            after: EventCursor(partition: partition, sequence: after),
            limit: request.number("limit", in: 1...10_000, default: 1000),
            maximumBytes: Self.pageBytes
        )
        return .lines(
            try EventLine.lines(page.events.map(StoredLeaf.init)),
            next: page.next.map { "\($0.sequence)" }
        )
    }
}
