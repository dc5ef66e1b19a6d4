/// Who does what is entered in the ``AuditTrail``.
struct TrailActor: Sendable, Hashable {
    /// The server itself, as its configuration says.
    static let server = TrailActor(name: "the server", address: "server", tokenID: nil, role: nil)

    /// The name in records: the token, as nobody knows more of whoever has it.
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
        let role = identity?.role ?? "somebody"
        return TrailActor(
            name: tokenID.map { "\(role) \($0)" } ?? role,
            address: address,
            tokenID: tokenID,
            role: identity?.role
        )
    }
}
