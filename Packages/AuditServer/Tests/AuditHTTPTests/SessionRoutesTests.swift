import AuditServerTesting
import EventModel
import EventModelTesting
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditAccounts
@testable import AuditAdmission
@testable import AuditHTTP
@testable import AuditModel

@Suite("Sessions of users over HTTP")
struct SessionRoutesTests {
    private static let anonymous = #"{"provider":"anon-user"}"#
    private static let nurse = #"{"email":"nurse@ward.example","password":"correct horse"}"#
    private static let password =
        #"{"provider":"local-userpass","username":"nurse@ward.example","password":"correct horse"}"#
    private static let key = #"{"provider":"api-key","key":"correct horse battery"}"#

    /// More than the time in which two programs of one device may renew.
    private static let grace = (UserSession.graceSeconds + 1) * 1_000_000

    private func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }

    private func refresh(_ client: any TestClientProtocol, _ token: String) async throws -> TestResponse {
        try await client.post("/api/v1/token/refresh", "", as: bearer(token))
    }

    /// Asks for the state of a partition, as a device does: with the status of who may.
    private func use(_ client: any TestClientProtocol, _ token: String) async throws -> HTTPResponse.Status {
        let partition = SampleDevice().partition.value
        return try await client.get("/api/v1/partitions/\(partition)", as: bearer(token)).status
    }

    private func logIn(_ client: any TestClientProtocol, _ body: String) async throws -> Session {
        try await client.post("/api/v1/apps/a/login", body).decoded(Session.self)
    }

    private static func server(_ settings: AppSettings) async throws -> TestServer {
        try await TestServer(
            configuration: ServerConfiguration(isDevelopmentMode: false, apps: ["a": settings], passwordCost: 10)
        )
    }

    @Test(
        "a refresh token is used once: when it comes again after its successor was used, the session ends for everybody"
    )
    func reuse() async throws {
        let server = try await TestServer()

        try await server.run { client async throws in
            let first = try await logIn(client, Self.anonymous)
            let bystander = try await logIn(client, Self.anonymous)
            let second = try await refresh(client, first.refreshToken).decoded(Session.self)
            #expect(try await use(client, second.accessToken) == .ok)
            server.clock.advance(microseconds: Self.grace)

            let thief = try await refresh(client, first.refreshToken)

            #expect(thief.status == .unauthorized)
            #expect(
                try thief.decoded(Refusal.self).message
                    == "The token is not accepted: it was used before, so that its session has ended; somebody has to sign in."
            )
            #expect(try await refresh(client, second.refreshToken).status == .unauthorized)
            #expect(try await use(client, second.accessToken) == .unauthorized)
            #expect(try await use(client, first.accessToken) == .unauthorized)
            #expect(try await use(client, bystander.accessToken) == .ok)
            let metrics = try await client.get("/api/v1/metrics", as: server.headers(.auditor))
            #expect(String(buffer: metrics.body).contains(#"daybook_sessions_ended_total{reason="reused"} 1"#))
            #expect(String(buffer: metrics.body).contains(#"daybook_refused_requests_total{code="unauthorized"} 4"#))
        }
        let trail = try await server.store
            .events(EventFilter(app: TrailEvent.app), after: nil, limit: 100, maximumBytes: .max).events
        #expect(trail.compactMap { $0.event?.activity } == ["end session"])
    }

    @Test("a thief who is quicker is found out by the next renewal of the device")
    func quickThief() async throws {
        let server = try await TestServer()

        try await server.run { client async throws in
            let device = try await logIn(client, Self.anonymous)
            let thief = try await refresh(client, device.refreshToken).decoded(Session.self)
            #expect(try await use(client, thief.accessToken) == .ok)
            server.clock.advance(microseconds: Self.grace)

            #expect(try await refresh(client, device.refreshToken).status == .unauthorized)
            #expect(try await use(client, thief.accessToken) == .unauthorized)
            #expect(try await refresh(client, thief.refreshToken).status == .unauthorized)
        }
    }

    @Test(
        "two programs of one device that renew at once go on, and a thief among them is found out by the next renewal"
    )
    func twins() async throws {
        let server = try await TestServer()

        try await server.run { client async throws in
            let session = try await logIn(client, Self.anonymous)
            let one = try await refresh(client, session.refreshToken).decoded(Session.self)
            #expect(try await use(client, one.accessToken) == .ok)
            let two = try await refresh(client, session.refreshToken).decoded(Session.self)
            #expect(try await use(client, two.accessToken) == .ok)

            server.clock.advance(microseconds: Self.grace)
            let next = try await refresh(client, one.refreshToken).decoded(Session.self)
            #expect(try await use(client, next.accessToken) == .ok)
            server.clock.advance(microseconds: Self.grace)
            #expect(try await refresh(client, two.refreshToken).status == .unauthorized)
            #expect(try await use(client, next.accessToken) == .unauthorized)
        }
    }

    @Test(
        "a device whose refresh was carried out and whose answer was lost is not locked out, however long it was away"
    )
    func lostAnswer() async throws {
        let server = try await TestServer()

        try await server.run { client async throws in
            let first = try await logIn(client, Self.anonymous)
            #expect(try await use(client, first.accessToken) == .ok)
            for _ in 1...3 {
                #expect(try await refresh(client, first.refreshToken).status == .ok)
                server.clock.advance(microseconds: 10 * 86_400 * 1_000_000)
            }
            let second = try await refresh(client, first.refreshToken).decoded(Session.self)

            #expect(second.userID == first.userID)
            #expect(try await use(client, second.accessToken) == .ok)
            #expect(try await refresh(client, second.refreshToken).status == .ok)
        }
    }

    @Test("an access token without a session is not accepted, though its signature is right")
    func noSession() async throws {
        let server = try await TestServer()
        let token = try await server.tokens.issue(.uploader(SampleDevice.owner), for: .access)
        let unknown = UserSession(
            id: "0000000000000000000000ff",
            owner: SampleDevice.owner,
            provider: "anon-user",
            at: server.clock.now().wall,
            from: "x"
        )
        let forgotten = try await server.tokens.issue(unknown, for: .access)
        let renewing = try await server.tokens.issue(unknown, for: .refresh)

        try await server.run { client async throws in
            #expect(try await use(client, token) == .unauthorized)
            #expect(try await use(client, forgotten) == .unauthorized)
            #expect(try await refresh(client, renewing).status == .unauthorized)
        }
    }

    @Test("a new password ends all sessions at once, and who signs in again goes on")
    func newPassword() async throws {
        let server = try await Self.server(AppSettings(emailPassword: .registration))
        let administrator = try await server.headers(.administrator)

        try await server.run { client async throws in
            _ = try await client.post("/api/v1/apps/a/register", Self.nurse)
            let session = try await logIn(client, Self.password)
            #expect(try await use(client, session.accessToken) == .ok)
            let changed = try await client.execute(
                uri: "/api/v1/apps/a/users/password",
                method: .put,
                headers: administrator,
                body: ByteBuffer(string: Self.nurse)
            )

            #expect(changed.status == .noContent)
            #expect(try await use(client, session.accessToken) == .unauthorized)
            #expect(try await refresh(client, session.refreshToken).status == .unauthorized)
            let again = try await logIn(client, Self.password)
            #expect(try await use(client, again.accessToken) == .ok)
        }
    }

    @Test("a password that is changed while somebody signs in with the old one begins no session")
    func changedMeanwhile() async throws {
        let server = try await Self.server(AppSettings(emailPassword: .registration))
        let accounts = server.accounts

        try await server.run { client async throws in
            _ = try await client.post("/api/v1/apps/a/register", Self.nurse)
            let account = try #require(try await accounts.account(of: EmailAddress("nurse@ward.example"), app: "a"))
            _ = try await accounts.setPassword(PasswordHash(of: "another"), of: account.email, app: "a")
            let proven = SignIn.Proven(user: account.user, provider: "local-userpass", password: account.hash)
            let session = UserSession(
                id: "0000000000000000000000ff",
                owner: proven.user,
                provider: proven.provider,
                at: server.clock.now().wall,
                from: "x"
            )
            #expect(try await accounts.begin(session, provenBy: proven.password, maximum: 9) == nil)
        }
    }

    @Test("a withdrawn API key ends what was begun with it, in this app and for this key alone")
    func withdrawnKey() async throws {
        let keys = [APIKey(app: "a", secret: "correct horse battery"), APIKey(app: "a", secret: "another")]
        let before = try await Self.server(AppSettings(apiKeys: keys))
        let other = #"{"provider":"api-key","key":"another"}"#
        let sessions = KeptSessions()
        try await before.run { client async throws in
            for body in [Self.key, other] { sessions.keep(try await logIn(client, body)) }
        }
        let after = before.with(
            ServerConfiguration(isDevelopmentMode: false, apps: ["a": AppSettings(apiKeys: [keys[1]])])
        )

        try await after.run { client async throws in
            let (withdrawn, kept) = (sessions.all[0], sessions.all[1])
            #expect(try await use(client, withdrawn.accessToken) == .unauthorized)
            let refused = try await refresh(client, withdrawn.refreshToken)
            #expect(refused.status == .unauthorized)
            #expect(
                try refused.decoded(Refusal.self).message
                    == "The token is not accepted: the API key of its session was withdrawn."
            )
            #expect(try await use(client, kept.accessToken) == .ok)
            #expect(try await refresh(client, kept.refreshToken).status == .ok)
        }
    }

    @Test("one device with a shared API key signs out alone, and cannot remove the user of all")
    func sharedKey() async throws {
        let server = try await Self.server(AppSettings(apiKeys: [APIKey(app: "a", secret: "correct horse battery")]))

        try await server.run { client async throws in
            let (one, two) = (try await logIn(client, Self.key), try await logIn(client, Self.key))
            #expect(one.userID == two.userID)
            let removal = try await client.execute(
                uri: "/api/v1/users/me",
                method: .delete,
                headers: bearer(one.accessToken)
            )
            #expect(removal.status == .forbidden)
            #expect(try removal.decoded(Refusal.self).message.contains("everybody with the API key is this user"))
            #expect(try await use(client, one.accessToken) == .ok)
            for _ in 1...2 {
                let out = try await client.execute(
                    uri: "/api/v1/users/me/session",
                    method: .delete,
                    headers: bearer(one.refreshToken)
                )
                #expect(out.status == .noContent)
            }

            #expect(try await use(client, one.accessToken) == .unauthorized)
            #expect(try await refresh(client, one.refreshToken).status == .unauthorized)
            #expect(try await use(client, two.accessToken) == .ok)
            #expect(try await refresh(client, two.refreshToken).status == .ok)
            #expect(try await client.post("/api/v1/apps/a/login", Self.key).status == .ok)
        }
    }

    @Test("who signs in again with the token of the session before ends it, and no session of another user")
    func replacing() async throws {
        let server = try await Self.server(AppSettings(apiKeys: [APIKey(app: "a", secret: "correct horse battery")]))

        try await server.run { client async throws in
            let (first, bystander) = (try await logIn(client, Self.key), try await logIn(client, Self.anonymous))
            func again(_ token: String) async throws -> Session {
                try await logIn(client, Self.key.replacing("}", with: #","replaces":"\#(token)"}"#))
            }
            let second = try await again(first.refreshToken)
            _ = try await again(bystander.refreshToken)
            _ = try await again("no token")
            _ = try await again(second.accessToken)

            #expect(try await use(client, first.accessToken) == .unauthorized)
            #expect(try await use(client, second.accessToken) == .ok)
            #expect(try await use(client, bystander.accessToken) == .ok)
        }
    }

    @Test("an access token signs out, too; a token that is none of this server ends nothing")
    func signOut() async throws {
        let server = try await TestServer()
        let stranger = try await TestServer()
        let uri = "/api/v1/users/me/session"

        try await server.run { client async throws in
            let session = try await logIn(client, Self.anonymous)
            let foreign = try await stranger.headers(.uploader(EventOwner(app: "a", user: session.userID)))
            for headers in [foreign, [:], bearer("x")] {
                let refused = try await client.execute(uri: uri, method: .delete, headers: headers)
                #expect(refused.status == .unauthorized)
            }
            let auditor = try await server.headers(.auditor)
            #expect(try await client.execute(uri: uri, method: .delete, headers: auditor).status == .forbidden)
            #expect(try await use(client, session.accessToken) == .ok)
            let out = try await client.execute(uri: uri, method: .delete, headers: bearer(session.accessToken))

            #expect(out.status == .noContent)
            #expect(try await use(client, session.accessToken) == .unauthorized)
        }
    }

    @Test("an administrator sees the sessions of a user, and ends one or all of them; nobody else does")
    func administration() async throws {
        let server = try await Self.server(AppSettings(apiKeys: [APIKey(app: "a", secret: "correct horse battery")]))
        let administrator = try await server.headers(.administrator)

        try await server.run { client async throws in
            var sessions: [Session] = []
            for _ in 1...3 { sessions.append(try await logIn(client, Self.key)) }
            let uri = "/api/v1/apps/a/users/\(sessions[0].userID)/sessions"
            for other in [try await server.headers(.reviewer), bearer(sessions[0].accessToken), [:]] {
                for (method, path) in [
                    (HTTPRequest.Method.get, uri), (.delete, uri),
                    (.delete, "\(uri)/\(String(repeating: "0", count: 24))"),
                ] {
                    let response = try await client.execute(uri: path, method: method, headers: other)
                    #expect([.forbidden, .unauthorized].contains(response.status))
                }
            }
            let page = try await client.get("\(uri)?limit=2", as: administrator)
            let cursor = try #require(page.headers[.nextCursor])
            let rest = try await client.get("\(uri)?after=\(cursor)", as: administrator)
            let list = try page.decoded([UserSessionLine].self) + rest.decoded([UserSessionLine].self)
            #expect(list.count == 3)
            #expect(list.allSatisfy { $0.provider == "api-key" && $0.began == $0.renewed })

            let one = try await client.execute(uri: "\(uri)/\(list[0].id)", method: .delete, headers: administrator)
            #expect(one.status == .noContent)
            #expect(try await use(client, sessions[0].accessToken) == .unauthorized)
            #expect(try await use(client, sessions[1].accessToken) == .ok)
            let again = try await client.execute(uri: "\(uri)/\(list[0].id)", method: .delete, headers: administrator)
            #expect(again.status == .notFound)
            let all = try await client.execute(uri: uri, method: .delete, headers: administrator)
            #expect(try all.decoded([String: Int].self) == ["ended": 2])
            for session in sessions {
                #expect(try await use(client, session.accessToken) == .unauthorized)
                #expect(try await refresh(client, session.refreshToken).status == .unauthorized)
            }
            #expect(try await client.get("\(uri)?after=x", as: administrator).status == .badRequest)
        }
        let trail = try await server.store
            .events(EventFilter(app: TrailEvent.app), after: nil, limit: 100, maximumBytes: .max).events
        #expect(trail.compactMap { $0.event?.activity } == ["end session", "end session", "end sessions"])
    }

    @Test("who signs in again and again from one place ends no session of another place")
    func flood() async throws {
        var limits = ServerLimits()
        limits.sessionsPerUser = 4
        let header = "X-Forwarded-For"
        let server = try await TestServer(
            configuration: ServerConfiguration(
                isDevelopmentMode: false,
                apps: ["a": AppSettings(apiKeys: [APIKey(app: "a", secret: "correct horse battery")])],
                limits: limits,
                clientAddressHeader: header
            )
        )
        let name = try #require(HTTPField.Name(header))

        try await server.run { client async throws in
            let ward = try await client.post("/api/v1/apps/a/login", Self.key, as: [name: "10.0.0.1"])
                .decoded(Session.self)
            server.clock.advance(microseconds: 1_000_000)
            for _ in 1...20 {
                _ = try await client.post("/api/v1/apps/a/login", Self.key, as: [name: "10.0.0.2"])
            }
            #expect(try await use(client, ward.accessToken) == .ok)
            let owner = EventOwner(app: "a", user: ward.userID)
            #expect(try await server.accounts.sessions(of: owner, after: nil, limit: 99).count == 4)
        }
    }

    @Test("what many try with wrong tokens at one address keeps no device there from renewing its session")
    func neighbours() async throws {
        let server = try await TestServer()

        try await server.run { client async throws in
            let session = try await logIn(client, Self.anonymous)
            var last = HTTPResponse.Status.ok
            for _ in 1...100 { last = try await refresh(client, "no token").status }
            #expect(last == .tooManyRequests)
            #expect(try await refresh(client, session.refreshToken).status == .ok)
        }
    }
}
