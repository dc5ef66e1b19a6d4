import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Users with passwords over HTTP")
struct PasswordRoutesTests {
    private static let nurse = #"{"email":"nurse@ward.example","password":"correct horse"}"#
    private static let right = logIn("Nurse@ward.example", "correct horse")
    private static let wrong = logIn("nurse@ward.example", "incorrect horse")

    private static func logIn(_ name: String, _ password: String) -> String {
        #"{"provider":"local-userpass","username":"\#(name)","password":"\#(password)"}"#
    }

    private static func server(_ mode: AppSettings.EmailPassword) async throws -> TestServer {
        let settings = AppSettings(emailPassword: mode)
        let apps = ["a": settings]
        return try await TestServer(
            configuration: ServerConfiguration(isDevelopmentMode: false, apps: apps, passwordCost: 10)
        )
    }

    @Test("who registers signs in with the password, always as the same user, and with no other password")
    func registration() async throws {
        let server = try await Self.server(.registration)

        try await server.run { client async throws in
            let registered = try await client.post("/api/v1/apps/a/register", Self.nurse)
            let first = try await client.post("/api/v1/apps/a/login", Self.right)
            let second = try await client.post("/api/v1/apps/a/login", Self.right)
            let refused = try await client.post("/api/v1/apps/a/login", Self.wrong)

            #expect(registered.status == .ok)
            #expect(try first.decoded(Session.self).userID == second.decoded(Session.self).userID)
            #expect(try registered.decoded([String: String].self)["userID"] == first.decoded(Session.self).userID)
            #expect(refused.status == .unauthorized)
        }
    }

    @Test("an unknown address is refused with the same words as a wrong password")
    func sameWords() async throws {
        let server = try await Self.server(.registration)

        try await server.run { client async throws in
            _ = try await client.post("/api/v1/apps/a/register", Self.nurse)
            let wrong = try await client.post("/api/v1/apps/a/login", Self.wrong)
            let unknown = try await client.post("/api/v1/apps/a/login", Self.logIn("who@ward.example", "some password"))

            #expect(unknown.status == wrong.status)
            #expect(try unknown.decoded(Refusal.self).message == wrong.decoded(Refusal.self).message)
            #expect(try wrong.decoded(Refusal.self).message == "The e-mail address or the password is wrong.")
            #expect(wrong.code == "unauthorized")
        }
    }

    @Test("an address registers once, and a short password or a text that is no address is refused")
    func refusals() async throws {
        let server = try await Self.server(.registration)

        try await server.run { client async throws in
            _ = try await client.post("/api/v1/apps/a/register", Self.nurse)
            let again = try await client.post("/api/v1/apps/a/register", Self.nurse)
            #expect(again.status == .conflict)
            for body in [
                #"{"email":"b@c","password":"short"}"#, #"{"email":"no address","password":"long enough"}"#, "{}", "",
                #"{"email":"b@c","password":"\#(String(repeating: "x", count: 1025))"}"#,
            ] {
                #expect(try await client.post("/api/v1/apps/a/register", body).status == .badRequest, "\(body)")
            }
        }
    }

    @Test("where passwords are off nobody registers or signs in with one; where users are added, nobody registers")
    func modes() async throws {
        try await Self.server(.off)
            .run { client async throws in
                #expect(try await client.post("/api/v1/apps/a/register", Self.nurse).status == .forbidden)
                #expect(try await client.post("/api/v1/apps/a/login", Self.right).status == .forbidden)
            }
        try await Self.server(.signIn)
            .run { client async throws in
                #expect(try await client.post("/api/v1/apps/a/register", Self.nurse).status == .forbidden)
                #expect(try await client.post("/api/v1/apps/a/login", Self.right).status == .unauthorized)
            }
    }

    @Test("an administrator adds a user, changes the password and removes the user; nobody else may")
    func administration() async throws {
        let server = try await Self.server(.signIn)
        let administrator = try await server.headers(.administrator)
        let others = [try await server.headers(.auditor), try await server.headers(.uploader(SampleDevice.owner)), [:]]

        try await server.run { client async throws in
            for other in others {
                let response = try await client.post("/api/v1/apps/a/users", Self.nurse, as: other)
                #expect([.forbidden, .unauthorized].contains(response.status))
            }
            let added = try await client.post("/api/v1/apps/a/users", Self.nurse, as: administrator)
            let session = try await client.post("/api/v1/apps/a/login", Self.right).decoded(Session.self)
            #expect(try added.decoded([String: String].self)["userID"] == session.userID)

            let new = #"{"email":"nurse@ward.example","password":"another horse"}"#
            let changed = try await client.execute(
                uri: "/api/v1/apps/a/users/password",
                method: .put,
                headers: administrator,
                body: .init(string: new)
            )
            #expect(changed.status == .noContent)
            #expect(try await client.post("/api/v1/apps/a/login", Self.right).status == .unauthorized)
            let renamed = Self.logIn("nurse@ward.example", "another horse")
            #expect(try await client.post("/api/v1/apps/a/login", renamed).status == .ok)

            let uri = "/api/v1/apps/a/users/\(session.userID)"
            let removed = try await client.execute(uri: uri, method: .delete, headers: administrator)
            #expect(removed.status == .noContent)
            #expect(try await client.post("/api/v1/apps/a/login", renamed).status == .unauthorized)
            let refresh = try await client.post(
                "/api/v1/token/refresh",
                "",
                as: [.authorization: "Bearer \(session.refreshToken)"]
            )
            #expect(refresh.status == .forbidden)
        }
    }

    @Test("users remove themselves")
    func leaving() async throws {
        let server = try await Self.server(.registration)

        try await server.run { client async throws in
            _ = try await client.post("/api/v1/apps/a/register", Self.nurse)
            let session = try await client.post("/api/v1/apps/a/login", Self.right).decoded(Session.self)
            let gone = try await client.execute(
                uri: "/api/v1/users/me",
                method: .delete,
                headers: [.authorization: "Bearer \(session.accessToken)"]
            )

            #expect(gone.status == .noContent)
            #expect(try await client.post("/api/v1/apps/a/login", Self.right).status == .unauthorized)
        }
    }

    @Test("after ten wrong passwords the account is left alone for a while, also with the right one")
    func guessing() async throws {
        let server = try await Self.server(.registration)

        try await server.run { client async throws in
            _ = try await client.post("/api/v1/apps/a/register", Self.nurse)
            for _ in 0..<10 {
                #expect(try await client.post("/api/v1/apps/a/login", Self.wrong).status == .unauthorized)
            }
            let limited = try await client.post("/api/v1/apps/a/login", Self.right)
            #expect(limited.status == .tooManyRequests)
            #expect(limited.headers[.retryAfter] == "6")

            server.clock.advance(microseconds: 6_000_000)
            #expect(try await client.post("/api/v1/apps/a/login", Self.right).status == .ok)
        }
    }

    @Test("of fifty wrong passwords that are tried at once, ten are looked at")
    func guessingAtOnce() async throws {
        let server = try await Self.server(.registration)

        try await server.run { client async throws in
            _ = try await client.post("/api/v1/apps/a/register", Self.nurse)
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await client.post("/api/v1/apps/a/login", Self.wrong).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(statuses.count { $0 == .unauthorized } == 10)
            #expect(statuses.count { $0 == .tooManyRequests } == 40)
        }
    }

    @Test("right passwords use up no attempts, however many sign in")
    func rightAtOnce() async throws {
        let server = try await Self.server(.registration)

        try await server.run { client async throws in
            _ = try await client.post("/api/v1/apps/a/register", Self.nurse)
            for _ in 0..<30 {
                #expect(try await client.post("/api/v1/apps/a/login", Self.right).status == .ok)
            }
        }
    }
}
