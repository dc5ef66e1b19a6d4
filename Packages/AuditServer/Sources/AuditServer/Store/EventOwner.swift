/// Whose events a partition holds: a user of an app.
public struct EventOwner: Sendable, Hashable {
    /// The app.
    public let app: String
    /// The user, 24 hexadecimal digits.
    public let user: String

    /// Names an owner.
    public init(app: String, user: String) {
        self.app = app
        self.user = user
    }
}
