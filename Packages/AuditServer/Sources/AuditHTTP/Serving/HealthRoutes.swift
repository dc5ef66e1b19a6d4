import AuditModel
import Hummingbird

/// What supervisors ask: whether the process answers, and whether its store does.
struct HealthRoutes: Sendable {
    let store: any EventStore

    private struct Health: Encodable {
        let status: String
    }

    func add(to router: Router<AuditRequestContext>) {
        router.get("health") { _, _ in try Response.json(Health(status: "alive")) }
        router.get("ready") { _, _ in
            _ = try await store.partitions(after: nil, limit: 1)
            return try Response.json(Health(status: "ready"))
        }
    }
}
