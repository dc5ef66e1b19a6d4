public import EventModel

/// Keeps users with passwords, users who were removed, sessions, and the tokens of auditors and administrators.
///
/// Safe to call from any task. Whatever is thrown is an `AuditServerError`. `AccountStoreConformance` in
/// AuditServerTesting checks a store against this contract.
public protocol AccountStore: SessionStore {
    /// Adds an account.
    ///
    /// - Returns: false when the app has an account of this address already, which is left as it is.
    func add(_ account: PasswordAccount) async throws -> Bool

    /// Replaces the password of an account, and ends all sessions of its user in the same step.
    ///
    /// - Returns: The user; nil when there is no such account.
    func setPassword(_ hash: PasswordHash, of email: EmailAddress, app: String) async throws -> EventOwner?

    /// Returns the account of an address, or nil.
    func account(of email: EmailAddress, app: String) async throws -> PasswordAccount?

    /// Lists the accounts of an app in the order of the bytes of their addresses.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - after: The last address of the page before, or nil for the first page.
    ///   - limit: The largest number to return.
    /// - Returns: The accounts.
    /// - Throws: `unavailable` when the storage fails.
    func accounts(of app: String, after: EmailAddress?, limit: Int) async throws -> [PasswordAccount]

    /// Removes a user for good: no provider signs the same user in again, and all sessions end in the same step.
    ///
    /// Events of the user stay. Does nothing when the user was removed before.
    func remove(_ user: EventOwner) async throws

    /// Returns whether a user was removed.
    func isRemoved(_ user: EventOwner) async throws -> Bool

    /// Keeps a token that is about to be handed out; its id is new.
    func add(_ token: IssuedToken) async throws

    /// Returns a token that was issued, or nil.
    func token(_ id: String) async throws -> IssuedToken?

    /// Lists the tokens that were issued, revoked ones too, by their ids, which is by age.
    func tokens(after: String?, limit: Int) async throws -> [IssuedToken]

    /// Revokes a token for good.
    ///
    /// - Returns: false when there is no such token, or it was revoked before.
    func revokeToken(_ id: String, at now: EventInstant) async throws -> Bool
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
