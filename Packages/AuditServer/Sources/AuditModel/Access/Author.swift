/// Who wrote an entry: the bearer of a token.
package struct Author: Sendable, Hashable, Codable {
    /// The id of the token; nil of the one in the server's data folder.
    package let token: String?
    /// Whom the token was issued to, in the administrator's words.
    package let name: String

    package init(token: String?, name: String) {
        self.token = token
        self.name = name
    }

    /// The bearer of the token that lies in the data folder.
    package static let folder = Author(token: nil, name: "the token of the data folder")
    /// The server, which raises alerts by itself.
    package static let server = Author(token: nil, name: "the server")
}
