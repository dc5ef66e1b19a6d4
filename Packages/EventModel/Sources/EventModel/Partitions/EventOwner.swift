/// Whose events a partition holds: a user of an app.
public struct EventOwner: Sendable {
    /// The id of the app; `local` where there is no account.
    public let app: String
    /// The user, 24 hexadecimal digits; `local` where there is no account.
    public let user: String

    /// Names an owner.
    public init(app: String, user: String) {
        self.app = app
        self.user = user
    }
}

extension EventOwner: Hashable {
    /// Compares the bytes: two spellings of one name are two owners, as they are to a database.
    public static func == (left: EventOwner, right: EventOwner) -> Bool {
        left.app.hasSameBytes(as: right.app) && left.user.hasSameBytes(as: right.user)
    }

    /// Feeds the bytes to the hasher.
    public func hash(into hasher: inout Hasher) {
        app.hashBytes(into: &hasher)
        user.hashBytes(into: &hasher)
    }
}
