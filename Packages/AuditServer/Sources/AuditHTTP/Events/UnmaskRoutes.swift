import AuditAdmission
import AuditKeeping
import AuditModel
import AuditReview
import EventModel
import HummingbirdCore

/// What a reviewer does about masked values: have those of an event or an object shown, for a purpose and a reason that are
/// recorded first.
struct UnmaskRoutes: Sendable {
    /// The largest body, in bytes.
    private static let maximumBytes = 8192
    /// The longest reason, in characters.
    private static let maximumReason = 1000
    /// The most events that one reason shows an object in.
    private static let maximumEvents = 200
    /// The most bytes of the texts of these events.
    private static let maximumEventBytes = 33_554_432

    /// The events with their masked values.
    let whole: any EventReading
    let proofs: any PartitionProving & SealLog
    let masks: EventMasks
    let labels: ObjectLabels
    /// What a reviewer may say masked values are shown for.
    let purposes: [String]
    let index: any SearchEngine
    /// The public keys that receipts are signed with, and were.
    let keys: [[UInt8]]
    let clock: any EventClock
    let limits: RequestLimits
    let trail: AuditTrail

    private struct Order: Decodable {
        let purpose: String
        let reason: String
    }

    func add(to api: API) {
        api.get("unmasking/purposes", .auditor, listPurposes)
        api.post("partitions/:partition/events/:sequence/unmask", .reviewer, unmask)
        api.post("objects/unmask", .reviewer, unmaskObject)
    }

    private func listPurposes(_: Request, _: AuditRequestContext, _: EventAccess) async throws -> Response {
        try .json(purposes)
    }

    private func unmask(_ request: Request, _ context: AuditRequestContext, _ reviewer: Reviewer) async throws
        -> Response
    {
        let (partition, sequence) = (try context.partition(), try context.sequence())
        let form = #"{"purpose": "…", "reason": "…"}"#
        let reason = try reason(try await request.json(Order.self, upTo: Self.maximumBytes, form: form))
        try limits.countUnmasking(of: context.tokenID ?? context.address)
        let (stored, record) = try await whole.event(sequence, of: partition, reviewer.access)
        try await trail.record(
            "unmask event",
            about: "\(partition.value)/\(sequence)",
            because: reason,
            by: context
        )
        return try .json(
            try await EventDetail(stored, in: record, labels, whole, proofs, index, reviewer.access, signedBy: keys)
        )
    }

    private struct Answer: Encodable {
        let events: [EventLine]
        /// Whether all stored events are in the index.
        let isCurrent: Bool
    }

    /// Answers with the events of a time that show one object, with its own values and no others.
    private func unmaskObject(_ request: Request, _ context: AuditRequestContext, _ reviewer: Reviewer) async throws
        -> Response
    {
        let filter = try request.filter(for: reviewer.access, masks, besides: [])
        guard let objectClass = filter.objectClass, let key = filter.objectKey, filter.since != nil, filter.until != nil
        else {
            throw AuditServerError.rejected(
                reason: "'class' and 'key' name the object, and 'since' and 'until' say of which time"
            )
        }
        let form = #"{"purpose": "…", "reason": "…"}"#
        let reason = try reason(try await request.json(Order.self, upTo: Self.maximumBytes, form: form))
        try limits.countUnmasking(of: context.tokenID ?? context.address)
        let store = MaskedEvents(whole, masks)
        let isCurrent = try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
        let named = NamedObject(objectClass: objectClass, key: key)
        let lines = try await masked(filter, in: store).map { EventLine(masks.shown($0, but: named)) }
        try await trail.record(
            "unmask object",
            about: "\(objectClass) \(key) in \(lines.count) events: \(request.uri.query ?? "")",
            because: reason,
            by: context
        )
        return try .json(Answer(events: lines, isCurrent: isCurrent))
    }

    /// Returns the whole events that fit and have masked values, the oldest first.
    private func masked(_ filter: EventFilter, in store: MaskedEvents) async throws -> [StoredEvent] {
        var places: [EventAddress] = []
        var range = SearchRange(isNewestFirst: false, limit: Self.maximumEvents)
        repeat {
            let page = try await index.search(filter, range, in: store, clock: clock)
            places += page.hits.filter(\.stored.isMasked).map(\.stored.address)
            guard places.count <= Self.maximumEvents else {
                throw AuditServerError.rejected(
                    reason: "more than \(Self.maximumEvents) events have masked values; narrow the time"
                )
            }
            range.after = page.next
        } while range.after != nil
        let found = try await whole.events(at: places, maximumBytes: Self.maximumEventBytes)
        guard found.looked == places.count else {
            throw AuditServerError.rejected(
                reason: "the events have more than \(Self.maximumEventBytes) bytes; narrow the time"
            )
        }
        let events = Dictionary(found.events.map { ($0.address, $0) }) { first, _ in first }
        return places.compactMap { events[$0] }
    }

    /// Returns what is recorded: the purpose, and the reviewer's own words.
    private func reason(_ order: Order) throws(AuditServerError) -> String {
        guard purposes.contains(order.purpose) else {
            let known = purposes.map { "'\($0)'" }.joined(separator: ", ")
            throw .rejected(reason: "the purpose is one of \(known)")
        }
        let words = order.reason.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard (1...Self.maximumReason).contains(words.count) else {
            throw .rejected(reason: "a reason has 1 to \(Self.maximumReason) characters")
        }
        return "\(order.purpose): \(words)"
    }
}
