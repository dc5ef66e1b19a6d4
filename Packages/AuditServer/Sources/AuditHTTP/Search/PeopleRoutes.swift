import AuditAccounts
import AuditModel
import HummingbirdCore

/// What the console asks to name who recorded something: the directories of staff that the configuration names.
struct PeopleRoutes: Sendable {
    /// How many ids one request names at most.
    private static let maximumIDs = 100

    let apps: ServedApps

    func add(to api: API) {
        api.get("people", .auditor, people)
    }

    private func people(_ request: Request, _: AuditRequestContext, _ access: EventAccess) async throws -> Response {
        let ids = request.uri.queryParameters[values: "id"].map(String.init)
        guard (1...Self.maximumIDs).contains(ids.count) else {
            throw AuditServerError.rejected(reason: "1 to \(Self.maximumIDs) times 'id' say who is asked for")
        }
        return try .json(ids.compactMap { apps.person($0, access) })
    }
}
