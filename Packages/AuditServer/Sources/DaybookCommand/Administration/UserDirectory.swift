import AuditAccounts
import AuditArchives
import AuditHTTP
import EventModel

/// The users of an app on a server.
struct UserDirectory {
    let server: RemoteServer
    let app: String

    private struct Credentials: Encodable {
        let email: String
        let password: String
    }

    /// Lists the users with passwords, by address.
    func users() async throws -> [ListedUser] {
        try await server.list(ListedUser.self, "apps/\(app)/users")
    }

    /// Adds a user.
    ///
    /// - Returns: The id.
    func add(_ email: String, password: String) async throws -> String {
        let credentials = Credentials(email: email, password: password)
        let answer = try await server.change("POST", "apps/\(app)/users", credentials)
        return try server.decode(Added.self, from: answer).userID
    }

    private struct Added: Decodable {
        let userID: String
    }

    /// Gives a user another password.
    func setPassword(_ password: String, of email: String) async throws {
        let credentials = Credentials(email: email, password: password)
        try await server.change("PUT", "apps/\(app)/users/password", credentials)
    }

    /// Removes a user.
    ///
    /// - Parameter user: The id, or the address of a user with a password.
    /// - Returns: The id.
    /// - Throws: `CommandError.missingUser(_:)` for an address that nobody has.
    func remove(_ user: String) async throws -> String {
        let id = try await id(of: user)
        try await server.change("DELETE", "apps/\(app)/users/\(id)")
        return id
    }

    /// Lists the sessions of a user that have not ended, by age.
    ///
    /// - Throws: As ``remove(_:)`` does.
    func sessions(of user: String) async throws -> [UserSessionLine] {
        try await server.list(UserSessionLine.self, "apps/\(app)/users/\(id(of: user))/sessions")
    }

    /// Ends one session of a user, or all.
    ///
    /// - Returns: How many.
    /// - Throws: As ``remove(_:)`` does.
    func endSessions(of user: String, only session: String?) async throws -> Int {
        let path = try await "apps/\(app)/users/\(id(of: user))/sessions"
        if let session {
            try await server.change("DELETE", "\(path)/\(session)")
            return 1
        }
        return try server.decode(Ended.self, from: await server.change("DELETE", path)).ended
    }

    private struct Ended: Decodable {
        let ended: Int
    }

    private func id(of user: String) async throws -> String {
        guard user.contains("@") else { return user }
        let (body, _) = try await server.get("apps/\(app)/users", ["email": user])
        guard let found = try server.decode([ListedUser].self, from: body).first else {
            throw CommandError.missingUser(user)
        }
        return found.userID
    }
}

/// A user in a list: the line of `daybook users list --json`.
struct ListedUser: Codable, Equatable {
    /// The id.
    let userID: String
    /// The address.
    let email: String
}
