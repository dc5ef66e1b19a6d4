/// Which realms the users of an app share.
///
/// A pattern is one for the partition value of a realm as text, such as `ward-3`, whatever its type. Who may write may read.
public struct RealmRules: Sendable, Hashable {
    /// The values of realms that a user may change.
    public var userWrite: [PrefixPattern]
    /// The values of realms that a user may read.
    public var userRead: [PrefixPattern]

    /// Everybody shares every realm.
    public static let all = RealmRules(userWrite: [.all], userRead: [.all])

    /// Creates rules; without arguments they allow nothing.
    public init(userWrite: [PrefixPattern] = [], userRead: [PrefixPattern] = []) {
        self.userWrite = userWrite
        self.userRead = userRead
    }

    /// Returns whether a user may change a realm.
    package func mayWrite(_ value: String, _ user: String) -> Bool { userWrite.contains { $0.fits(value, of: user) } }

    /// Returns whether a user may read a realm.
    package func mayRead(_ value: String, _ user: String) -> Bool {
        userRead.contains { $0.fits(value, of: user) } || mayWrite(value, user)
    }
}
