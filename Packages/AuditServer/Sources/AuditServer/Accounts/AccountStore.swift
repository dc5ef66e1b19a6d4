/// Keeps the users who sign in with a password, and the users of any kind who were removed.
///
/// Safe to call from any task. Whatever is thrown is an ``AuditServerError``. `AccountStoreConformance` in
/// AuditServerTesting checks a store against this contract.
public protocol AccountStore: Sendable {
    /// Adds an account.
    ///
    /// - Returns: false when the app has an account of this address already, which is left as it is.
    func add(_ account: PasswordAccount) async throws -> Bool

    /// Replaces the password of an account.
    ///
    /// - Returns: false when there is no such account.
    func setPassword(_ hash: PasswordHash, of email: EmailAddress, app: String) async throws -> Bool

    /// Returns the account of an address, or nil.
    func account(of email: EmailAddress, app: String) async throws -> PasswordAccount?

    /// Removes a user for good: no provider signs the same user in again, and their tokens are not renewed.
    ///
    /// Events of the user stay. Does nothing when the user was removed before.
    func remove(_ user: EventOwner) async throws

    /// Returns whether a user was removed.
    func isRemoved(_ user: EventOwner) async throws -> Bool
}

/// A user who signs in with a password.
public struct PasswordAccount: Sendable, Hashable {
    /// The app and the user's id in it.
    public let user: EventOwner
    /// The address.
    public let email: EmailAddress
    /// What is kept of the password.
    public let hash: PasswordHash

    /// Creates an account.
    public init(user: EventOwner, email: EmailAddress, hash: PasswordHash) {
        self.user = user
        self.email = email
        self.hash = hash
    }
}
