import EventModel
import Hummingbird

/// What an administrator does: add and remove users, and give them new passwords.
struct AdminRoutes: Sendable {
    let signIn: SignIn

    private struct NewUser: Decodable {
        let email: String
        let password: String
    }

    func add(to api: RouterGroup<AuditRequestContext>) {
        api.post("apps/:app/users") { request, context in
            let (app, new) = try await read(request, context)
            let user = try await signIn.add(new.email, password: new.password, app: app)
            return try Response.json(["userID": user.user])
        }
        api.put("apps/:app/users/password") { request, context in
            let (app, new) = try await read(request, context)
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
            try await signIn.accounts.remove(EventOwner(app: app, user: user))
            return Response(status: .noContent)
        }
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
