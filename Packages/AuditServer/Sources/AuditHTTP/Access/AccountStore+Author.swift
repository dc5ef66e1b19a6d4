import AuditModel

extension AccountStore {
    /// Returns who makes a request.
    ///
    /// - Throws: `unavailable` when the storage fails.
    func author(of context: AuditRequestContext) async throws -> Author {
        guard let id = context.tokenID else { return .folder }
        return Author(token: id, name: try await token(id)?.name ?? id)
    }
}
