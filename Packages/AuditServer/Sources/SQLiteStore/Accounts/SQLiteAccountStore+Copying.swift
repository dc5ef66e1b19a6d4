public import AuditModel
import EventModel
import GRDB

extension SQLiteAccountStore {
    /// What was copied to another store.
    public struct Copied: Sendable, Hashable {
        /// How many users with passwords are there now who were not before.
        public fileprivate(set) var users = 0
        /// How many users were left out, because the other store has their address or has removed them.
        public fileprivate(set) var leftOut = 0
        /// How many users are removed there as well.
        public fileprivate(set) var removedUsers = 0
        /// How many tokens that were issued are known there now and were not before.
        public fileprivate(set) var tokens = 0
        /// How many sessions are there now, so that nobody has to sign in again.
        public fileprivate(set) var sessions = 0
    }

    /// Copies users with passwords, removed users, sessions and issued tokens to another store; what is there stays.
    ///
    /// Doing it again copies what is missing, so that it may be broken off at any point.
    ///
    /// - Parameter other: The store of a database that servers share.
    /// - Returns: How many of each were copied.
    /// - Throws: `unavailable` when one of the stores fails.
    /// - Complexity: O(*n*) in the accounts of this store.
    public func copy(to other: any AccountStore) async throws -> Copied {
        var copied = Copied()
        // First, so that nobody who was removed signs in for a moment.
        for user in try await removedUsers() {
            try await other.remove(user)
            copied.removedUsers += 1
        }
        for account in try await allAccounts() {
            // The other store may have removed a user whom this one has.
            if try await other.isRemoved(account.user) {
                copied.leftOut += 1
            } else if try await other.add(account) {
                copied.users += 1
            } else {
                copied.leftOut += 1
            }
        }
        for session in try await allSessions()
        where try await other.begin(session, provenBy: nil, maximum: .max) != nil { copied.sessions += 1 }
        var last: String?
        repeat {
            let page = try await tokens(after: last, limit: 1000)
            for token in page where try await other.token(token.id) == nil {
                try await other.add(token)
                copied.tokens += 1
            }
            last = page.last?.id
        } while last != nil
        return copied
    }

    /// Returns how many users with passwords there are.
    ///
    /// - Throws: `unavailable` when the storage fails.
    public func accountCount() async throws -> Int {
        try await read { try Int.fetchOne($0, sql: "SELECT count(*) FROM PasswordAccount") ?? 0 }
    }

    private func removedUsers() async throws -> [EventOwner] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT app, user FROM RemovedUser ORDER BY app, user")
                .map { EventOwner(app: $0["app"], user: $0["user"]) }
        }
    }

    private func allAccounts() async throws -> [PasswordAccount] {
        let apps = try await read { database in
            try String.fetchAll(database, sql: "SELECT DISTINCT app FROM PasswordAccount ORDER BY app")
        }
        var found: [PasswordAccount] = []
        for app in apps { found += try await accounts(of: app, after: nil, limit: .max) }
        return found
    }
}
