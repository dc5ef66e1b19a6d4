import AuditAccounts
import AuditModel
import AuditReview
import EventModel
import HummingbirdCore

/// What shows and extends the collections of apps; an extension is entered in the ``AuditTrail`` before it is made.
struct SchemaRoutes: Sendable {
    /// The largest body of a request, in bytes: the names of all columns that a collection may have.
    private static let maximumBytes = 131_072

    let collections: any EventCollections
    let apps: ServedApps
    let trail: AuditTrail

    private struct Extension: Decodable {
        let metadataColumns: [String]
    }

    func add(to api: API) {
        api.get("schema", .auditor, list)
        api.get("apps/:app/schema", .administratorOrAuditor, show)
        api.post("apps/:app/schema", .administrator, extend)
    }

    private func list(_: Request, _: AuditRequestContext, _ access: EventAccess) async throws -> Response {
        var schemas: [EventSchema] = []
        for app in try await collections.collections() where access.includes(app: app) {
            if let schema = try await schema(of: app) { schemas.append(schema) }
        }
        return try .json(schemas)
    }

    private func show(_: Request, _ context: AuditRequestContext, _ reader: SchemaReader) async throws -> Response {
        let app = try context.app()
        guard reader.mayRead(app), let schema = try await schema(of: app) else {
            throw AuditServerError.missing(what: "the app has no collection")
        }
        return try .json(schema)
    }

    private func extend(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        let app = try context.app()
        _ = try apps.servedSettings(of: app)
        let form = #"{"metadataColumns": ["userId"]}"#
        let columns = try await request.json(Extension.self, upTo: Self.maximumBytes, form: form).metadataColumns
        try EventSchema.check(metadataColumns: columns)
        try await trail.record("extend schema", about: ([app] + columns).joined(separator: " "), by: context)
        try await collections.extendCollection(of: app, by: columns)
        return try .json(try await schema(of: app))
    }

    private func schema(of app: String) async throws -> EventSchema? {
        try await collections.metadataColumns(of: app).map { EventSchema(app: app, metadataColumns: $0) }
    }
}
