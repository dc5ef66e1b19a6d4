import AuditModel
import AuditReview
import EventModel
import HTTPTypes
import HummingbirdCore

/// Saved views: list, save, change and delete them.
struct ViewRoutes: Sendable {
    /// The largest body, in bytes.
    private static let maximumBytes = 16_384

    let desk: ReviewDesk
    let accounts: any AccountStore
    let ids: any ObjectIdSource

    private struct Order: Decodable {
        let name: String
        let query: String
        let shared: Bool?
    }

    private struct Change: Decodable {
        let name: String?
        let query: String?
        let shared: Bool?
    }

    func add(to api: API) {
        api.get("views", .auditor, list)
        api.post("views", .auditor, save)
        api.put("views/:view", .auditor, change)
        api.delete("views/:view", .auditor, delete)
    }

    private func list(_: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws -> Response {
        _ = try await desk.catchUp(maximumEvents: IndexingBudget.request)
        let author = try await accounts.author(of: context)
        try await desk.trail.record("list views", about: nil, by: context)
        let views = desk.read(\.views).filter { $0.value.isVisible(to: author, access) }
        return try .json(views.map { SavedViewLine($0, for: author) })
    }

    private func save(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let form = #"{"name": "…", "query": "class=Patient&key=p1", "shared": false}"#
        let order = try await request.json(Order.self, upTo: Self.maximumBytes, form: form)
        _ = try await desk.catchUp(maximumEvents: IndexingBudget.request)
        guard desk.read(\.viewCount) < SavedView.maximumCount else {
            throw AuditServerError.rejected(reason: "there are \(SavedView.maximumCount) views; delete some first")
        }
        let author = try await accounts.author(of: context)
        let view = SavedView(
            id: ids.next().stringValue,
            name: try WrittenText.line(order.name, "the name of a view", upTo: SavedView.maximumNameBytes),
            query: order.query,
            isShared: order.shared ?? false,
            owner: author,
            scope: AppScope(of: try EventFilter.reading(query: order.query), for: access)
        )
        return try await write(view, context)
    }

    private func change(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let form = #"{"name": "…", "query": "…", "shared": true}"#
        let change = try await request.json(Change.self, upTo: Self.maximumBytes, form: form)
        var view = try await own(context)
        if let name = change.name {
            view.name = try WrittenText.line(name, "the name of a view", upTo: SavedView.maximumNameBytes)
        }
        if let query = change.query {
            view.scope = AppScope(of: try EventFilter.reading(query: query), for: access)
            view.query = query
        }
        if let isShared = change.shared { view.isShared = isShared }
        return try await write(view, context)
    }

    private func delete(_: Request, _ context: AuditRequestContext, _: EventAccess) async throws -> Response {
        let view = try await own(context)
        try await desk.write(.viewDeletion(view.id), about: view.name, by: context.actor)
        return Response(status: .noContent)
    }

    private func write(_ view: SavedView, _ context: AuditRequestContext) async throws -> Response {
        let place = try await desk.write(.view(view), about: "\(view.name): \(view.query)", by: context.actor)
        return try .json(SavedViewLine(.init(value: view, place: place), for: view.owner))
    }

    /// Returns the view that the path names, if it is of whoever asks; views of others are as if they were not there.
    private func own(_ context: AuditRequestContext) async throws -> SavedView {
        let missing = AuditServerError.missing(what: "there is no such view of yours")
        let id = try context.id("view", "there is no such view of yours")
        _ = try await desk.catchUp(maximumEvents: IndexingBudget.request)
        let author = try await accounts.author(of: context)
        guard let view = desk.read({ $0.view(id) })?.value, view.owner.token == author.token else { throw missing }
        return view
    }
}

/// A saved view as it is answered.
public struct SavedViewLine: Sendable, Hashable, Codable {
    /// The id.
    public let id: String
    /// The name.
    public let name: String
    /// The filter, as the query of a search.
    public let query: String
    /// Whether other auditors see it.
    public let shared: Bool
    /// Whether it is of whoever asks.
    public let own: Bool
    /// Whose it is.
    public let owner: String
    /// When it was saved last, ISO 8601.
    public let saved: String
    /// The event of the auditors' trail that says so.
    public let event: EventPlaceLine

    init(_ view: ReviewBook.Placed<SavedView>, for author: Author) {
        id = view.value.id
        name = view.value.name
        query = view.value.query
        shared = view.value.isShared
        own = view.value.owner.token == author.token
        owner = view.value.owner.name
        saved = view.place.time.description
        event = EventPlaceLine(view.place.address)
    }
}

/// Where an event lies, as it is answered.
public struct EventPlaceLine: Sendable, Hashable, Codable {
    /// The partition.
    public let partition: String
    /// The place in the partition, from 1.
    public let sequence: UInt64

    init(_ address: EventAddress) {
        partition = address.partition.value
        sequence = address.sequence
    }
}
