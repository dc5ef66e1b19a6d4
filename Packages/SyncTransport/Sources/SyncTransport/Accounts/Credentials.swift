/// What a person or a program proves itself with.
///
/// Its descriptions and its mirror never show the secret.
///
/// ```swift
/// let user = try await app.login(credentials: .anonymous)
/// ```
public enum Credentials: Sendable, Hashable {
    /// Nothing: the server makes up a user, who comes back after a restart of the app.
    case anonymous
    /// An API key of a user.
    case userAPIKey(String)
    /// An API key of the app.
    case serverAPIKey(String)
    /// The address and the password of a registered user.
    case emailPassword(email: String, password: String)
    /// A token that another identity provider signed.
    case jwt(token: String)

    /// The provider's name in the protocol.
    var provider: String {
        switch self {
        case .anonymous: "anon-user"
        case .userAPIKey, .serverAPIKey: "api-key"
        case .emailPassword: "local-userpass"
        case .jwt: "custom-token"
        }
    }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The provider alone.
    public var description: String { "Credentials(\(provider))" }

    /// The same as the description.
    public var debugDescription: String { description }

    /// A mirror without children, so that a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
