import AuditModel
import HummingbirdCore

/// What supervisors ask: whether the process answers, and whether its store does.
struct HealthRoutes: Sendable {
    let store: any EventReading

    private struct Health: Encodable {
        let status: String
    }

    func add(to api: API) {
        api.root.get("health", .anyone, health)
        api.root.get("ready", .anyone, ready)
    }

    private func health(_: Request, _: AuditRequestContext, _: Anyone) async throws -> Response {
        try .json(Health(status: "alive"))
    }

    private func ready(_: Request, _: AuditRequestContext, _: Anyone) async throws -> Response {
        _ = try await store.partitions(after: nil, limit: 1)
        return try .json(Health(status: "ready"))
    }
}
