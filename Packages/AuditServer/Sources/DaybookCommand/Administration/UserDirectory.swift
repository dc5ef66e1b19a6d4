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
    /// - Throws: ``CommandError/missingUser(_:)`` for an address that nobody has.
    func remove(_ user: String) async throws -> String {
        var id = user
        if user.contains("@") {
            let (body, _) = try await server.get("apps/\(app)/users", ["email": user])
            guard let found = try server.decode([ListedUser].self, from: body).first else {
                throw CommandError.missingUser(user)
            }
            id = found.userID
        }
        try await server.change("DELETE", "apps/\(app)/users/\(id)")
        return id
    }
}

/// A user in a list: the line of `daybook users list --json`.
struct ListedUser: Codable, Equatable {
    /// The id.
    let userID: String
    /// The address.
    let email: String
}
