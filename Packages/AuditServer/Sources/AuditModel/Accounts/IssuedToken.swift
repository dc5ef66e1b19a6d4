public import EventModel

/// A token that an administrator issued to a person or a program, as it is kept: all but the token itself.
public struct IssuedToken: Sendable, Hashable {
    /// The id, 24 hexadecimal digits, which is in the token.
    public let id: String
    /// What the token allows: `Identity.auditor(apps:)`, `Identity.reviewer(apps:)` or `Identity.administrator`.
    public let identity: Identity
    /// Whom or what it is for, in the administrator's words.
    public let name: String
    /// When it was issued.
    public let issued: EventInstant
    /// When its time is over.
    public let expires: EventInstant
    /// When it was revoked; nil while it was not.
    public var revoked: EventInstant?

    /// Describes a token.
    public init(
        id: String,
        identity: Identity,
        name: String,
        issued: EventInstant,
        expires: EventInstant,
        revoked: EventInstant? = nil
    ) {
        self.id = id
        self.identity = identity
        self.name = name
        self.issued = issued
        self.expires = expires
        self.revoked = revoked
    }
}

extension IssuedToken {
    /// Returns whether a text can be an id: 24 small hexadecimal digits.
    package static func isID(_ text: String) -> Bool {
        text.utf8.count == 24 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
