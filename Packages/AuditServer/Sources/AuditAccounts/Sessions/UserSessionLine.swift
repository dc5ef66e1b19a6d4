package import AuditModel

/// A session in a list: what `daybook users sessions --json` writes.
public struct UserSessionLine: Sendable, Hashable, Codable {
    /// The id.
    public let id: String
    /// How the user signed in, by the protocol's name of it.
    public let provider: String
    /// When the user signed in, ISO 8601.
    public let began: String
    /// When it was renewed last, ISO 8601.
    public let renewed: String
    /// When its time is over, ISO 8601.
    public let expires: String
    /// The address that it was renewed from last.
    public let address: String

    package init(_ session: UserSession) {
        id = session.id
        provider = session.provider
        began = "\(session.began)"
        renewed = "\(session.renewed)"
        expires = "\(session.expires)"
        address = session.address
    }
}

extension UserSession {
    /// Returns whether a text can be an id: 24 small hexadecimal digits.
    package static func isID(_ text: String) -> Bool { IssuedToken.isID(text) }
}
