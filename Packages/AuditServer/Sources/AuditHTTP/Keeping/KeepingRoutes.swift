import AuditKeeping
import AuditModel
import EventModel
import HTTPTypes
import HummingbirdCore
import NIOCore

/// What an administrator does about keeping events: holds, erasures and retention.
///
/// Auditors of all apps may read it.
struct KeepingRoutes: Sendable {
    /// The largest body of a request, in bytes.
    private static let maximumBytes = 16_384
    /// The form of a filter in examples.
    private static let filterForm = #"{"app": "…", "class": "Patient", "key": "…"}"#

    let store: any EventKeeping
    let keeper: EventKeeper

    private struct HoldOrder: Decodable {
        let name: String
        let reason: String
        let filter: KeepingFilter
    }

    private struct Reason: Decodable {
        let reason: String
    }

    private struct Expiry: Decodable {
        let events: Int?
        let reason: String?
    }

    private struct Question: Decodable {
        let filter: KeepingFilter
    }

    private struct Order: Decodable {
        let filter: KeepingFilter
        let reason: String
        let events: Int
    }

    func add(to api: API) {
        api.get("holds", .keepingReader, listHolds)
        api.post("holds", .administrator, place)
        api.post("holds/:hold/lift", .administrator, lift)
        api.get("erasures", .keepingReader, erasures)
        api.get("erasures/:erasure/ranges", .keepingReader, ranges)
        api.post("erasures/preview", .administrator, preview)
        api.post("erasures", .administrator, erase)
        api.get("retention", .keepingReader, retention)
        api.post("retention", .administrator, expire)
        api.get("retention/clock", .keepingReader, showClock)
        api.post("retention/clock", .administrator, believeClock)
    }

    private func retention(_ request: Request, _: AuditRequestContext, _: KeepingReader) async throws -> Response {
        try .json(await keeper.retention(counting: request.query("count") == "yes"))
    }

    private func showClock(_: Request, _: AuditRequestContext, _: KeepingReader) async throws -> Response {
        try .json(await keeper.clockState())
    }

    private func believeClock(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws
        -> Response
    {
        let reason = try await request.json(Reason.self, upTo: Self.maximumBytes, form: #"{"reason": "…"}"#).reason
        try Self.check(reason, "a reason", 1024)
        return try .json(await keeper.believeClock(because: reason, by: context.actor))
    }

    /// Has erased what has expired: what goes by itself, or as many events as an administrator says, with a reason.
    private func expire(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        let body = try await request.body.collect(upTo: Self.maximumBytes)
        guard body.readableBytes > 0 else {
            return try await expire(by: context.actor)
        }
        let form = #"{} or {"events": 5000, "reason": "…"}"#
        let order = try Request.decoded(Expiry.self, from: body, form: form)
        guard order.events != nil || order.reason != nil else {
            return try await expire(by: context.actor)
        }
        guard let events = order.events, let reason = order.reason, (1...EventKeeper.maximumEvents).contains(events)
        else {
            throw AuditServerError.rejected(
                reason:
                    "a number of events from 1 to \(EventKeeper.maximumEvents) needs a reason, and a reason a number"
            )
        }
        try Self.check(reason, "a reason", 1024)
        let expiry = ExpiryOrder(events: events, reason: reason)
        return try Response.json(await keeper.expire(by: context.actor, ordered: expiry).records)
    }

    /// Has what goes by itself done now: events that have expired, and entries of realms' logs.
    private func expire(by actor: TrailActor) async throws -> Response {
        let records = try await keeper.expire(by: actor).records
        _ = try await keeper.shortenLogs(by: actor)
        return try .json(records)
    }

    private func listHolds(_: Request, _: AuditRequestContext, _: KeepingReader) async throws -> Response {
        try .json(await store.holds())
    }

    private func place(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        let form = "{\"name\": \"…\", \"reason\": \"…\", \"filter\": \(Self.filterForm)}"
        let order = try await request.json(HoldOrder.self, upTo: Self.maximumBytes, form: form)
        try Self.check(order.name, "the name of a hold", 128)
        try Self.check(order.reason, "a reason", 1024)
        try Self.checkTexts(order.filter)
        guard order.filter != KeepingFilter() else {
            throw AuditServerError.rejected(reason: "a hold says what it keeps: an app at least")
        }
        let hold = try await keeper.placeHold(
            order.name,
            on: order.filter,
            because: order.reason,
            by: context.actor
        )
        return try Response.json(hold)
    }

    private func lift(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        let reason = try await request.json(Reason.self, upTo: Self.maximumBytes, form: #"{"reason": "…"}"#).reason
        try Self.check(reason, "a reason", 1024)
        return try Response.json(
            await keeper.liftHold(context.number("hold"), because: reason, by: context.actor)
        )
    }

    private func erasures(_ request: Request, _: AuditRequestContext, _: KeepingReader) async throws -> Response {
        let limit = try request.number("limit", in: 1...1000, default: 1000)
        let after: Int64 = try request.number("after", in: 0...Int64.max, default: 0)
        let records = try await store.erasures(after: after, limit: limit)
        var response = try Response.json(records)
        if let last = records.last, records.count == limit { response.headers[.nextCursor] = "\(last.number)" }
        return response
    }

    private func ranges(_: Request, _ context: AuditRequestContext, _: KeepingReader) async throws -> Response {
        try .json(await store.ranges(of: context.number("erasure")).ranges)
    }

    private func preview(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response
    {
        let form = "{\"filter\": \(Self.filterForm)}"
        let question = try await request.json(Question.self, upTo: Self.maximumBytes, form: form)
        try Self.check(question.filter)
        return try .json(await keeper.preview(question.filter, by: context.actor))
    }

    private func erase(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        let form = "{\"filter\": \(Self.filterForm), \"reason\": \"…\", \"events\": 12}"
        let order = try await request.json(Order.self, upTo: Self.maximumBytes, form: form)
        try Self.check(order.filter)
        try Self.check(order.reason, "a reason", 1024)
        let record = try await keeper.erase(
            order.filter,
            expecting: order.events,
            because: order.reason,
            by: context.actor
        )
        return try Response.json(record)
    }

    /// Refuses an erasure of everything: that is what retention is for.
    private static func check(_ filter: KeepingFilter) throws(AuditServerError) {
        try checkTexts(filter)
        guard filter.isSpecific else {
            throw .rejected(
                reason:
                    "an erasure names a person, an object, an activity, a type, a partition or a prefix of partitions"
            )
        }
    }

    /// Refuses empty texts: what begins with nothing is everything, and a person without a name is whoever left a field empty.
    private static func checkTexts(_ filter: KeepingFilter) throws(AuditServerError) {
        guard !filter.texts.contains("") else {
            throw .rejected(reason: "a filter has no empty text; leave out what it does not name")
        }
    }

    private static func check(_ text: String, _ what: String, _ limit: Int) throws(AuditServerError) {
        guard (1...limit).contains(text.utf8.count), !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .rejected(reason: "\(what) has 1 to \(limit) bytes and no control characters")
        }
    }
}
