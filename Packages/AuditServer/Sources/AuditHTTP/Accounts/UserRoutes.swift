import AuditAccounts
import AuditModel
import AuditReview
import EventModel
import HTTPTypes
import HummingbirdCore

/// What an administrator does about users: list, add and remove them, give them new passwords, see and end their sessions.
///
/// Each change is entered in the ``AuditTrail`` before it is made.
struct UserRoutes: Sendable {
    let signIn: SignIn
    let sessions: SessionDesk
    let trail: AuditTrail

    private struct NewUser: Decodable {
        let email: String
        let password: String
    }

    private struct User: Encodable {
        let userID: String
        let email: String
    }

    func add(to api: API) {
        api.get("apps/:app/users", .administrator, list)
        api.post("apps/:app/users", .administrator, add)
        api.put("apps/:app/users/password", .administrator, setPassword)
        api.delete("apps/:app/users/:user", .administrator, remove)
        api.get("apps/:app/users/:user/sessions", .administrator, listSessions)
        api.delete("apps/:app/users/:user/sessions", .administrator, endSessions)
        api.delete("apps/:app/users/:user/sessions/:session", .administrator, endSession)
    }

    private static let noSession = AuditServerError.missing(what: "the user has no such session, or it has ended")

    /// Reads the user whom the path names.
    private func user(_ context: AuditRequestContext) throws(AuditServerError) -> EventOwner {
        let app = try context.app()
        _ = try signIn.settings(of: app)
        guard let user = context.pathPart("user"), (1...64).contains(user.utf8.count) else {
            throw .rejected(reason: "the path does not name a user")
        }
        return EventOwner(app: app, user: user)
    }

    private func listSessions(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws
        -> Response
    {
        let owner = try user(context)
        let limit = try request.number("limit", in: 1...1000, default: 1000)
        let after = request.query("after")
        guard after.map(UserSession.isID) ?? true else {
            throw AuditServerError.rejected(reason: "'after' is not a cursor of this server")
        }
        let found = try await signIn.accounts.sessions(of: owner, after: after, limit: limit)
        var response = try Response.json(found.map(UserSessionLine.init))
        if let last = found.last, found.count == limit { response.headers[.nextCursor] = last.id }
        return response
    }

    /// Lists the users with passwords, or finds the one of an address.
    private func list(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
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

    private func add(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        let (app, new) = try await read(request, context)
        try await trail.record("add user", about: "\(app) \(new.email)", by: context)
        let user = try await signIn.add(new.email, password: new.password, app: app, from: context.address)
        return try .json(["userID": user.user])
    }

    private func setPassword(_ request: Request, _ context: AuditRequestContext, _: Administrator) async throws
        -> Response
    {
        let (app, new) = try await read(request, context)
        try await trail.record("set password", about: "\(app) \(new.email)", by: context)
        try await sessions.setPassword(new.password, of: new.email, app: app, from: context.address)
        return Response(status: .noContent)
    }

    private func remove(_: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        let owner = try user(context)
        try await trail.record("remove user", about: "\(owner.app) \(owner.user)", by: context)
        try await sessions.remove(owner)
        return Response(status: .noContent)
    }

    private func endSessions(_: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        let owner = try user(context)
        try await trail.record("end sessions", about: "\(owner.app) \(owner.user)", by: context)
        return try .json(["ended": try await sessions.endAll(of: owner, because: .administrator)])
    }

    private func endSession(_: Request, _ context: AuditRequestContext, _: Administrator) async throws -> Response {
        let owner = try user(context)
        guard let id = context.pathPart("session"), UserSession.isID(id) else { throw Self.noSession }
        try await trail.record("end session", about: SessionDesk.subject(id, owner), by: context)
        guard try await sessions.end(id, of: owner, because: .administrator) else { throw Self.noSession }
        return Response(status: .noContent)
    }

    private func cursor(_ request: Request) throws -> EmailAddress? {
        guard let text = request.query("after") else { return nil }
        guard let bytes = Hexadecimal.bytes(text), let address = String(validating: bytes, as: UTF8.self) else {
            throw AuditServerError.rejected(reason: "'after' is not a cursor of this server")
        }
        return try EmailAddress(address)
    }

    private func read(_ request: Request, _ context: AuditRequestContext) async throws -> (String, NewUser) {
        let app = try context.app()
        guard try signIn.settings(of: app).emailPassword != .off else {
            throw AuditServerError.forbidden(reason: "passwords are turned off in this app")
        }
        let form = #"{"email": "…", "password": "…"}"#
        return (app, try await request.json(NewUser.self, upTo: SignInRoutes.maximumBytes, form: form))
    }
}
