public import EventModel

/// Names a synced realm on the server: an app and one value of its partition key.
///
/// Both come from the checked path of a request. Nothing of one realm is reachable through the name of another, and a
/// realm that does not exist answers as one that somebody else has.
public struct RealmName: Sendable, Hashable {
    /// The app.
    public let app: ExactText
    /// The partition value as typed text, such as `s_ward-3`.
    public let value: ExactText

    /// Names a realm.
    public init(app: ExactText, value: ExactText) {
        self.app = app
        self.value = value
    }
}
