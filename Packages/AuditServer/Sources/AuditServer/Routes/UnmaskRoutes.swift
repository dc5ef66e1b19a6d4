import EventModel
import Hummingbird

/// What a reviewer does about masked values: have those of one event shown, for a purpose and a reason that are recorded first.
struct UnmaskRoutes: Sendable {
    /// The largest body, in bytes.
    private static let maximumBytes = 8192
    /// The longest reason, in characters.
    private static let maximumReason = 1000

    /// The store with whole events.
    let whole: any EventStore
    let configuration: ServerConfiguration
    let index: SearchIndex
    let limits: RequestLimits
    let trail: AuditTrail

    private struct Order: Decodable {
        let purpose: String
        let reason: String
    }

    func add(to api: RouterGroup<AuditRequestContext>) {
        api.get("unmasking/purposes") { _, context in
            _ = try context.auditor(configuration)
            return try Response.json(configuration.unmaskingPurposes)
        }
        api.post("partitions/:partition/events/:sequence/unmask") { request, context in
            try await unmask(request, context)
        }
    }

    private func unmask(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        let access = try context.reviewer(configuration)
        let (partition, sequence) = (try context.partition(), try context.sequence())
        let form = #"{"purpose": "…", "reason": "…"}"#
        let reason = try reason(try await request.json(Order.self, upTo: Self.maximumBytes, form: form))
        try limits.countUnmasking(of: context.tokenID ?? context.address)
        let (stored, record) = try await whole.event(sequence, of: partition, access)
        try await trail.record(
            "unmask event",
            about: "\(partition.value)/\(sequence)",
            because: reason,
            by: context
        )
        return try .json(try await EventDetail(stored, in: record, whole, index, access))
    }

    /// Returns what is recorded: the purpose, and the reviewer's own words.
    private func reason(_ order: Order) throws(AuditServerError) -> String {
        guard configuration.unmaskingPurposes.contains(order.purpose) else {
            let known = configuration.unmaskingPurposes.map { "'\($0)'" }.joined(separator: ", ")
            throw .rejected(reason: "the purpose is one of \(known)")
        }
        let words = order.reason.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard (1...Self.maximumReason).contains(words.count) else {
            throw .rejected(reason: "a reason has 1 to \(Self.maximumReason) characters")
        }
        return "\(order.purpose): \(words)"
    }
}
