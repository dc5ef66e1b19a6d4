/// Who wrote an entry: the bearer of a token.
struct Author: Sendable, Hashable, Codable {
    /// The id of the token; nil of the one in the server's data folder.
    let token: String?
    /// Whom the token was issued to, in the administrator's words.
    let name: String

    /// The bearer of the token that lies in the data folder.
    static let folder = Author(token: nil, name: "the token of the data folder")
    /// The server, which raises alerts by itself.
    static let server = Author(token: nil, name: "the server")
}

extension AccountStore {
    /// Returns who makes a request.
    ///
    /// - Throws: `unavailable` when the storage fails.
    func author(of context: AuditRequestContext) async throws -> Author {
        guard let id = context.tokenID else { return .folder }
        return Author(token: id, name: try await token(id)?.name ?? id)
    }
}
