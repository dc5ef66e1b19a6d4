import AuditAccounts
import AuditModel
import AuditReview
import EventModel
import Hummingbird

/// What shows and extends the collections of apps; an extension is entered in the ``AuditTrail`` before it is made.
struct SchemaRoutes: Sendable {
    /// The largest body of a request, in bytes: the names of all columns that a collection may have.
    private static let maximumBytes = 131_072

    let store: any EventStore
    let configuration: ServerConfiguration
    let trail: AuditTrail

    private struct Extension: Decodable {
        let metadataColumns: [String]
    }

    func add(to api: RouterGroup<AuditRequestContext>) {
        api.get("schema") { _, context in
            let access = try context.auditor(configuration)
            var schemas: [EventSchema] = []
            for app in try await store.collections() where access.includes(app: app) {
                if let schema = try await schema(of: app) { schemas.append(schema) }
            }
            return try Response.json(schemas)
        }
        api.get("apps/:app/schema") { _, context in
            let app = try context.app()
            let isAllowed =
                context.identity == .administrator ? true : try context.auditor(configuration).includes(app: app)
            guard isAllowed, let schema = try await schema(of: app) else {
                throw AuditServerError.missing(what: "the app has no collection")
            }
            return try Response.json(schema)
        }
        api.post("apps/:app/schema") { request, context in try await extend(request, context) }
    }

    private func extend(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        try context.requireAdministrator()
        let app = try context.app()
        _ = try configuration.served.servedSettings(of: app)
        let form = #"{"metadataColumns": ["userId"]}"#
        let columns = try await request.json(Extension.self, upTo: Self.maximumBytes, form: form).metadataColumns
        try EventSchema.check(metadataColumns: columns)
        try await trail.record("extend schema", about: ([app] + columns).joined(separator: " "), by: context)
        try await store.extendCollection(of: app, by: columns)
        return try .json(try await schema(of: app))
    }

    private func schema(of app: String) async throws -> EventSchema? {
        try await store.metadataColumns(of: app).map { EventSchema(app: app, metadataColumns: $0) }
    }
}
