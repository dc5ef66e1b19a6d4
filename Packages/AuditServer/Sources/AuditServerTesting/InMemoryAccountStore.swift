public import AuditServer
import Synchronization

/// Accounts that are forgotten with the process; as strict as real ones.
public final class InMemoryAccountStore: AccountStore {
    private struct Name: Hashable {
        let app: String
        let email: EmailAddress
    }

    private struct State {
        var accounts: [Name: PasswordAccount] = [:]
        var removed: Set<EventOwner> = []
    }

    private let state = Mutex(State())

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

    /// Replaces the password of an account.
    public func setPassword(_ hash: PasswordHash, of email: EmailAddress, app: String) async throws -> Bool {
        state.withLock { state in
            let name = Name(app: app, email: email)
            guard let account = state.accounts[name] else { return false }
            state.accounts[name] = PasswordAccount(user: account.user, email: email, hash: hash)
            return true
        }
    }

    /// Returns the account of an address, or nil.
    public func account(of email: EmailAddress, app: String) async throws -> PasswordAccount? {
        state.withLock { $0.accounts[Name(app: app, email: email)] }
    }

    /// Removes a user for good.
    public func remove(_ user: EventOwner) async throws {
        state.withLock { state in
            state.accounts = state.accounts.filter { $0.value.user != user }
            state.removed.insert(user)
        }
    }

    /// Returns whether a user was removed.
    public func isRemoved(_ user: EventOwner) async throws -> Bool {
        state.withLock { $0.removed.contains(user) }
    }
}
