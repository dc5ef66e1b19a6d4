import AuditModel
import AuditReview
import HummingbirdCore
import LogPublishing

/// What supervisors ask: whether the process answers, and whether its store does, with what is wrong there.
struct HealthRoutes: Sendable {
    let store: any EventReading
    /// What is wrong with what is stored.
    let findings: FindingBook
    /// What witnesses say of the log; nil where it is not published.
    let cosigned: CosignedLog?
    /// What an authority says of when it was so; nil likewise.
    let stamped: StampedLog?
    /// What its bucket has.
    let copied: CopiedLog
    /// For how long the server's key signs; nil of one that shares none.
    let term: SigningTerm?

    private struct Health: Encodable {
        let status: String
        /// What an operator should look at although the server serves; left out when there is nothing.
        var warnings: [String]?
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
        let others = [term?.concern, stamped?.concern.map { "\($0)" }, copied.concern.map { "\($0)" }].compactMap { $0 }
        let warnings = (cosigned?.concerns ?? []) + others + findings.warnings
        return try .json(Health(status: "ready", warnings: warnings.isEmpty ? nil : warnings))
    }
}
