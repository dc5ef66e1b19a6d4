/// The account that events belong to: how a recorder names a user without knowing the transport.
public protocol EventUser: Sendable {
    /// The id of the app that the user belongs to.
    var appID: String { get }
    /// The id of the user.
    var id: String { get }
}
