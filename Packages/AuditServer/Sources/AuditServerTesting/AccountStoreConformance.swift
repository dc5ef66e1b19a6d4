public import AuditModel
import EventModel

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
        try await accounts() + listing() + tokens() + SessionConformance(make: make).violations()
    }

    private func accounts() async throws -> [String] {
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

        rules.expect(try await store.setPassword(second, of: email, app: "ward") == user, "a password is replaced")
        rules.expect(try await store.account(of: email, app: "ward")?.hash == second, "the new password is there")
        rules.expect(try await store.account(of: email, app: "ward")?.user == user, "the user stays the same")
        let stranger = try EmailAddress("stranger@ward.example")
        rules.expect(try await store.setPassword(first, of: stranger, app: "ward") == nil, "a stranger has no password")

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

    private func listing() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let hash = try PasswordHash(of: "a password")
        rules.expect(try await store.accounts(of: "ward", after: nil, limit: 10) == [], "an empty store lists nobody")
        var accounts: [PasswordAccount] = []
        for (number, name) in ["b", "a';--", "c%_\"", "e\u{301}", "z"].enumerated() {
            let user = EventOwner(app: "ward", user: "\(number)")
            let email = try EmailAddress("\(name)@x")
            accounts.append(PasswordAccount(user: user, email: email, hash: hash))
        }
        for account in accounts { _ = try await store.add(account) }
        let elsewhere = PasswordAccount(
            user: EventOwner(app: "lab", user: "0"),
            email: try EmailAddress("a@x"),
            hash: hash
        )
        _ = try await store.add(elsewhere)
        accounts.sort { $0.email.text.utf8.lexicographicallyPrecedes($1.email.text.utf8) }

        let first = try await store.accounts(of: "ward", after: nil, limit: 2)
        rules.expect(first == Array(accounts.prefix(2)), "accounts are listed by the bytes of their addresses")
        let rest = try await store.accounts(of: "ward", after: first.last?.email, limit: 10)
        rules.expect(rest == Array(accounts.dropFirst(2)), "a page of accounts starts behind the last")
        try await store.remove(accounts[0].user)
        let others = try await store.accounts(of: "ward", after: nil, limit: 10)
        rules.expect(others == Array(accounts.dropFirst()), "a removed user is not listed")
        rules.expect(try await store.accounts(of: "lab", after: nil, limit: 10) == [elsewhere], "apps list their own")
        return rules.broken
    }

    private func tokens() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let now = EventInstant(microseconds: 1_700_000_000_000_000)
        func token(_ number: Int, _ identity: Identity, _ name: String) -> IssuedToken {
            IssuedToken(
                id: "00000000000000000000000\(number)",
                identity: identity,
                name: name,
                issued: now,
                expires: EventInstant(microseconds: now.microseconds + Int64(number))
            )
        }
        let all = [
            token(1, .auditor, "plain"), token(2, .auditor(apps: ["ward", "lab"]), "'; DROP TABLE IssuedToken; --"),
            token(3, .administrator, "\u{E9}\"%_"), token(4, .reviewer, "review"),
            token(5, .reviewer(apps: ["lab"]), "review of one"),
        ]
        rules.expect(try await store.tokens(after: nil, limit: 10) == [], "an empty store has no tokens")
        for token in all.reversed() { try await store.add(token) }

        rules.expect(try await store.tokens(after: nil, limit: 10) == all, "tokens come back as they were, by id")
        rules.expect(try await store.tokens(after: all[0].id, limit: 1) == [all[1]], "tokens come in pages")
        rules.expect(try await store.token(all[1].id) == all[1], "a token is found by its id")
        rules.expect(try await store.token("f") == nil, "a token that was never issued is not found")
        rules.expect(try await store.revokeToken(all[1].id, at: now), "a token is revoked")
        let later = EventInstant(microseconds: now.microseconds + 9)
        rules.expect(try await !store.revokeToken(all[1].id, at: later), "a token is revoked once")
        rules.expect(
            try await store.token(all[1].id)?.revoked == now,
            "a revoked token stays in the list, with the time"
        )
        rules.expect(try await store.token(all[0].id)?.revoked == nil, "other tokens are not revoked")
        rules.expect(try await !store.revokeToken("f", at: now), "what was never issued is not revoked")
        return rules.broken
    }
}
