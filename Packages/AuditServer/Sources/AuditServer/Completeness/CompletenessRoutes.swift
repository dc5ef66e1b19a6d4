import EventModel
import Hummingbird

/// What an auditor asks about devices: what their newest events say about them, and what is odd about their clocks.
struct CompletenessRoutes: Sendable {
    /// How many partitions one request names at most.
    private static let maximumPartitions = 100

    let store: any EventStore
    let configuration: ServerConfiguration
    let index: SearchIndex
    let trail: AuditTrail

    func add(to api: RouterGroup<AuditRequestContext>) {
        api.get("completeness/clocks") { request, context in try await clocks(request, context) }
        api.get("completeness/devices") { request, context in try await devices(request, context) }
    }

    private func clocks(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        let access = try context.auditor(configuration)
        let limit = try request.number("limit", in: 1...500, default: 100)
        try await index.refresh(from: store, maximumEvents: SearchRoutes.refreshedEvents)
        let findings = try await index.clockFindings(access, limit: limit)
        try await trail.record("view clocks", about: request.uri.query, by: context)
        return try .json(findings)
    }

    private func devices(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        let access = try context.auditor(configuration)
        let names = request.uri.queryParameters[values: "partition"]
        guard names.count <= Self.maximumPartitions else {
            throw AuditServerError.rejected(reason: "more than \(Self.maximumPartitions) partitions are named")
        }
        let partitions = try names.map { try PartitionID.reading(String($0)) }
        try await index.refresh(from: store, maximumEvents: SearchRoutes.refreshedEvents)
        let found = try await index.circumstances(of: partitions, access)
        try await trail.record("view devices", about: request.uri.query, by: context)
        return try .json(found)
    }
}
