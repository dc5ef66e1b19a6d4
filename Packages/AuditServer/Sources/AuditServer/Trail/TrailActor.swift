import AuditModel

/// Who does what is entered in the ``AuditTrail``.
struct TrailActor: Sendable, Hashable {
    /// The server itself, as its configuration says.
    static let server = TrailActor(name: Author.server.name, address: "server", tokenID: nil, role: nil)

    /// The name in records: whom the token was issued to, as nobody knows more of whoever has it.
    let name: String
    /// Where the request came from.
    let address: String
    /// The id of the token; nil of one in the server's data folder.
    let tokenID: String?
    /// The role; nil of the server.
    let role: String?
}

extension AuditRequestContext {
    /// Who makes the request.
    var actor: TrailActor {
        TrailActor(
            name: tokenName ?? tokenID ?? Author.folder.name,
            address: address,
            tokenID: tokenID,
            role: identity?.role
        )
    }
}
