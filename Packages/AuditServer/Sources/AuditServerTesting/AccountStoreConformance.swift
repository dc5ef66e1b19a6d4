public import AuditServer

/// The contract of a store of accounts, checked against any implementation.
///
/// ```swift
/// let broken = try await AccountStoreConformance { InMemoryAccountStore() }.violations()
/// #expect(broken == [])
/// ```
public struct AccountStoreConformance: Sendable {
    private let make: @Sendable () async throws -> any AccountStore

    /// Creates a check.
    ///
    /// - Parameter make: Makes an empty store.
    public init(make: @escaping @Sendable () async throws -> any AccountStore) {
        self.make = make
    }

    /// Returns a sentence for each rule that the store breaks.
    ///
    /// - Throws: What the store throws where the contract says that it does not.
    public func violations() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let (first, second) = (try PasswordHash(of: "first password"), try PasswordHash(of: "second password"))
        let email = try EmailAddress("nurse@ward.example")
        let user = EventOwner(app: "ward", user: "1")
        let account = PasswordAccount(user: user, email: email, hash: first)
        let sameElsewhere = PasswordAccount(user: EventOwner(app: "lab", user: "1"), email: email, hash: second)

        rules.expect(try await store.account(of: email, app: "ward") == nil, "an empty store knows nobody")
        rules.expect(try await store.add(account), "an account is added")
        rules.expect(try await store.account(of: email, app: "ward") == account, "an account comes back as it was")
        let again = PasswordAccount(user: EventOwner(app: "ward", user: "2"), email: email, hash: second)
        rules.expect(try await !store.add(again), "an address has one account")
        rules.expect(try await store.account(of: email, app: "ward") == account, "the account of an address stays")
        rules.expect(try await store.add(sameElsewhere), "the same address is free in another app")

        rules.expect(try await store.setPassword(second, of: email, app: "ward"), "a password is replaced")
        rules.expect(try await store.account(of: email, app: "ward")?.hash == second, "the new password is there")
        rules.expect(try await store.account(of: email, app: "ward")?.user == user, "the user stays the same")
        let stranger = try EmailAddress("stranger@ward.example")
        rules.expect(try await !store.setPassword(first, of: stranger, app: "ward"), "a stranger has no password")

        rules.expect(try await !store.isRemoved(user), "nobody is removed unasked")
        try await store.remove(user)
        try await store.remove(user)
        rules.expect(try await store.isRemoved(user), "a removed user stays removed")
        rules.expect(try await store.account(of: email, app: "ward") == nil, "a removed user has no account")
        rules.expect(try await store.account(of: email, app: "lab") == sameElsewhere, "other apps keep theirs")
        rules.expect(try await !store.isRemoved(sameElsewhere.user), "users of other apps are not removed")
        rules.expect(try await store.add(again), "the address is free for another user")
        let unknown = EventOwner(app: "ward", user: "an anonymous one")
        try await store.remove(unknown)
        rules.expect(try await store.isRemoved(unknown), "a user without an account can be removed")
        return rules.broken
    }
}
