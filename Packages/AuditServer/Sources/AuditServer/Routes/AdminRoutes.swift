import EventModel
import Hummingbird

/// What an administrator does about users: list, add and remove them, and give them new passwords.
///
/// Each change is entered in the ``AuditTrail`` before it is made.
struct AdminRoutes: Sendable {
    let signIn: SignIn
    let trail: AuditTrail

    private struct NewUser: Decodable {
        let email: String
        let password: String
    }

    private struct User: Encodable {
        let userID: String
        let email: String
    }

    func add(to api: RouterGroup<AuditRequestContext>) {
        api.get("apps/:app/users") { request, context in try await list(request, context) }
        api.post("apps/:app/users") { request, context in
            let (app, new) = try await read(request, context)
            try await trail.record("add user", about: "\(app) \(new.email)", by: context)
            let user = try await signIn.add(new.email, password: new.password, app: app)
            return try Response.json(["userID": user.user])
        }
        api.put("apps/:app/users/password") { request, context in
            let (app, new) = try await read(request, context)
            try await trail.record("set password", about: "\(app) \(new.email)", by: context)
            try await signIn.setPassword(new.password, of: new.email, app: app)
            return Response(status: .noContent)
        }
        api.delete("apps/:app/users/:user") { _, context in
            try context.requireAdministrator()
            let app = try context.app()
            _ = try signIn.settings(of: app)
            guard let user = context.parameters.get("user"), (1...64).contains(user.utf8.count) else {
                throw AuditServerError.rejected(reason: "the path does not name a user")
            }
            try await trail.record("remove user", about: "\(app) \(user)", by: context)
            try await signIn.accounts.remove(EventOwner(app: app, user: user))
            return Response(status: .noContent)
        }
    }

    /// Lists the users with passwords, or finds the one of an address.
    private func list(_ request: Request, _ context: AuditRequestContext) async throws -> Response {
        try context.requireAdministrator()
        let app = try context.app()
        _ = try signIn.settings(of: app)
        if let typed = request.query("email") {
            let account = try await signIn.accounts.account(of: EmailAddress(typed), app: app)
            return try .json(account.map { [User(userID: $0.user.user, email: $0.email.text)] } ?? [])
        }
        let limit = try request.number("limit", in: 1...1000, default: 1000)
        let accounts = try await signIn.accounts.accounts(of: app, after: cursor(request), limit: limit)
        var response = try Response.json(accounts.map { User(userID: $0.user.user, email: $0.email.text) })
        if let last = accounts.last, accounts.count == limit {
            // A header holds no letters but those of English.
            response.headers[.nextCursor] = Hexadecimal.text(Array(last.email.text.utf8))
        }
        return response
    }

    private func cursor(_ request: Request) throws -> EmailAddress? {
        guard let text = request.query("after") else { return nil }
        guard let bytes = Hexadecimal.bytes(text), let address = String(validating: bytes, as: UTF8.self) else {
            throw AuditServerError.rejected(reason: "'after' is not a cursor of this server")
        }
        return try EmailAddress(address)
    }

    private func read(_ request: Request, _ context: AuditRequestContext) async throws -> (String, NewUser) {
        try context.requireAdministrator()
        let app = try context.app()
        guard try signIn.settings(of: app).emailPassword != .off else {
            throw AuditServerError.forbidden(reason: "passwords are turned off in this app")
        }
        let form = #"{"email": "…", "password": "…"}"#
        return (app, try await request.json(NewUser.self, upTo: AccountRoutes.maximumBytes, form: form))
    }
}
