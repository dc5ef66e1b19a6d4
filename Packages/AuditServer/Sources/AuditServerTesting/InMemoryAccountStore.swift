public import AuditModel
public import EventModel
import Synchronization

/// Accounts that are forgotten with the process; as strict as real ones.
public final class InMemoryAccountStore: AccountStore {
    struct Name: Hashable {
        let app: String
        let email: EmailAddress
    }

    struct State {
        var accounts: [Name: PasswordAccount] = [:]
        var removed: Set<EventOwner> = []
        var tokens: [String: IssuedToken] = [:]
        var sessions: [String: UserSession] = [:]
    }

    let state = Mutex(State())

    /// Creates a store without accounts.
    public init() {}

    /// Adds an account, unless the app has one of this address.
    public func add(_ account: PasswordAccount) async throws -> Bool {
        state.withLock { state in
            let name = Name(app: account.user.app, email: account.email)
            guard state.accounts[name] == nil else { return false }
            state.accounts[name] = account
            return true
        }
    }

    /// Replaces the password of an account, and ends the sessions of its user.
    public func setPassword(_ hash: PasswordHash, of email: EmailAddress, app: String) async throws -> EventOwner? {
        state.withLock { state in
            let name = Name(app: app, email: email)
            guard let user = state.accounts[name]?.user else { return nil }
            state.accounts[name] = PasswordAccount(user: user, email: email, hash: hash)
            state.sessions = state.sessions.filter { $0.value.owner != user }
            return user
        }
    }

    /// Returns the account of an address, or nil.
    public func account(of email: EmailAddress, app: String) async throws -> PasswordAccount? {
        state.withLock { $0.accounts[Name(app: app, email: email)] }
    }

    /// Lists the accounts of an app, by address.
    public func accounts(of app: String, after: EmailAddress?, limit: Int) async throws -> [PasswordAccount] {
        func isBefore(_ left: EmailAddress, _ right: EmailAddress) -> Bool {
            left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
        }
        let all = state.withLock { $0.accounts.values.filter { $0.user.app == app } }
        return Array(
            all.sorted { isBefore($0.email, $1.email) }
                .drop { account in after.map { !isBefore($0, account.email) } ?? false }
                .prefix(limit)
        )
    }

    /// Removes a user for good, and ends the user's sessions.
    public func remove(_ user: EventOwner) async throws {
        state.withLock { state in
            state.sessions = state.sessions.filter { $0.value.owner != user }
            state.accounts = state.accounts.filter { $0.value.user != user }
            state.removed.insert(user)
        }
    }

    /// Returns whether a user was removed.
    public func isRemoved(_ user: EventOwner) async throws -> Bool {
        state.withLock { $0.removed.contains(user) }
    }

    /// Keeps a token that was issued.
    public func add(_ token: IssuedToken) async throws {
        state.withLock { $0.tokens[token.id] = token }
    }

    /// Returns a token that was issued, or nil.
    public func token(_ id: String) async throws -> IssuedToken? {
        state.withLock { $0.tokens[id] }
    }

    /// Lists the tokens that were issued, by their ids.
    public func tokens(after: String?, limit: Int) async throws -> [IssuedToken] {
        let all = state.withLock { $0.tokens.values.sorted { $0.id < $1.id } }
        return Array(all.drop { token in after.map { token.id <= $0 } ?? false }.prefix(limit))
    }

    /// Revokes a token for good.
    public func revokeToken(_ id: String, at now: EventInstant) async throws -> Bool {
        state.withLock { state in
            guard let token = state.tokens[id], token.revoked == nil else { return false }
            state.tokens[id]?.revoked = now
            return true
        }
    }
}
