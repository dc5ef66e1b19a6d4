/// Who does what is entered in the auditors' trail.
package struct TrailActor: Sendable, Hashable {
    /// The server itself, as its configuration says.
    package static let server = TrailActor(name: Author.server.name, address: "server", tokenID: nil, role: nil)

    /// The name in records: whom the token was issued to, as nobody knows more of whoever has it.
    package let name: String
    /// Where the request came from.
    package let address: String
    /// The id of the token; nil of one in the server's data folder.
    package let tokenID: String?
    /// The role; nil of the server.
    package let role: String?

    package init(name: String, address: String, tokenID: String?, role: String?) {
        self.name = name
        self.address = address
        self.tokenID = tokenID
        self.role = role
    }
}
