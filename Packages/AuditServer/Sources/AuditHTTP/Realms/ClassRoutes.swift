import AuditAccounts
import AuditModel
import AuditReview
import ChangeModel
import EventModel
import HummingbirdCore
import SyncServer

/// What shows and extends the classes of an app's realms; an extension is entered in the ``AuditTrail`` before it is made.
///
/// Outside of Development Mode no device adds any, and an administrator does before the new version of the app is given out.
struct ClassRoutes: Sendable {
    /// The realms; nil on a server that has none.
    let realms: SharedRealms?
    let apps: ServedApps
    let trail: AuditTrail

    func add(to api: API) {
        api.get("apps/:app/classes", .administratorOrAuditor, show)
        api.post("apps/:app/classes", .administrator, extend)
    }

    private func show(_: Request, _ context: AuditRequestContext, _ reader: SchemaReader) async throws -> Response {
        let app = try context.app()
        guard reader.mayRead(app) else { throw AuditServerError.missing(what: "the app has no classes") }
        return try .json(try await shared().schema(of: ExactText(app)))
    }

    private func extend(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        let app = try context.app()
        _ = try apps.servedSettings(of: app)
        let realms = try shared()
        let form = #"{"classes": [{"name": "Patient", "key": "_id", "properties": [{"name": "_id", "type": "int"}]}]}"#
        let asked = try await request.json(SyncSchema.self, upTo: ChangeLimits.schemaBytes, form: form)
        // It has the limits of one that a device sends.
        _ = try SyncSchema(bytes: asked.encoded)
        let present = try await realms.schema(of: ExactText(app))
        _ = try SyncServerError.union(of: present, with: asked, isExtending: true)
        let difference = SchemaDifference(from: present, to: asked)
        let added = (difference.classes + difference.properties).map(\.string)
        try await trail.record("extend classes", about: ([app] + added).joined(separator: " "), by: context)
        return try .json(try await realms.extendSchema(of: ExactText(app), by: asked))
    }

    private func shared() throws(AuditServerError) -> SharedRealms {
        guard let realms else { throw .noRealms }
        return realms
    }
}
