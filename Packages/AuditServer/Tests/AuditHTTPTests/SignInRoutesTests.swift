import AuditAccounts
import AuditHTTP
import AuditServerTesting
import EventModelTesting
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Sign-in over HTTP")
struct SignInRoutesTests {
    @Test("anybody signs in as a new anonymous user, and uploads with the token")
    func anonymous() async throws {
        let server = try await TestServer()
        var device = SampleDevice()
        device.record(["a"])
        let stretch = device.stretch(1...1)

        try await server.run { client in
            let body = #"{"provider":"anon-user"}"#
            let first = try await client.post("/api/v1/apps/ward-app/login", body).decoded(Session.self)
            let second = try await client.post("/api/v1/apps/ward-app/login", body).decoded(Session.self)
            let upload = try await client.upload(stretch, as: [.authorization: "Bearer \(first.accessToken)"])

            #expect(first.userID.count == 24)
            #expect(first.userID != second.userID)
            #expect(first.expiresInSeconds == TokenIssuer.accessSeconds)
            #expect(upload.status == .ok)
        }
    }

    @Test("a refresh token gives the same user new tokens; an access token does not")
    func refreshing() async throws {
        let server = try await TestServer()

        try await server.run { client in
            let session = try await client.post("/api/v1/apps/a/login", #"{"provider":"anon-user"}"#)
                .decoded(Session.self)
            server.clock.advance(microseconds: Int64(TokenIssuer.accessSeconds + 1) * 1_000_000)
            let renewed = try await client.post(
                "/api/v1/token/refresh",
                "",
                as: [.authorization: "Bearer \(session.refreshToken)"]
            )
            let refused = try await client.post(
                "/api/v1/token/refresh",
                "",
                as: [.authorization: "Bearer \(session.accessToken)"]
            )

            #expect(try renewed.decoded(Session.self).userID == session.userID)
            #expect(refused.status == .unauthorized)
        }
    }

    @Test("an API key always signs in the same user, and only in its own app")
    func apiKey() async throws {
        let key = APIKey(app: "ward-app", secret: "correct horse")
        let server = try await TestServer(configuration: ServerConfiguration(otherApps: AppSettings(apiKeys: [key])))

        try await server.run { client in
            let right = #"{"provider":"api-key","key":"correct horse"}"#
            let session = try await client.post("/api/v1/apps/ward-app/login", right).decoded(Session.self)
            let wrong = try await client.post("/api/v1/apps/ward-app/login", #"{"provider":"api-key","key":"x"}"#)
            let elsewhere = try await client.post("/api/v1/apps/other/login", right)

            #expect(session.userID == key.user)
            #expect(wrong.status == .unauthorized)
            #expect(elsewhere.status == .unauthorized)
        }
    }

    @Test(
        "a sign-in that is not supported or malformed is refused with a sentence",
        arguments: [
            #"{"provider":"local-userpass"}"#, #"{"provider":"api-key"}"#, #"{"provider":"magic"}"#, "{}", "", "[",
        ]
    )
    func refusal(body: String) async throws {
        let server = try await TestServer()

        try await server.run { client in
            let response = try await client.post("/api/v1/apps/a/login", body)

            #expect(response.status == .badRequest)
            #expect(response.code == "rejected")
        }
    }

    @Test("without Development Mode only the configured apps are served")
    func apps() async throws {
        let configuration = ServerConfiguration(isDevelopmentMode: false, apps: ["ward-app": AppSettings()])
        let server = try await TestServer(configuration: configuration)

        try await server.run { client async throws in
            let body = #"{"provider":"anon-user"}"#
            #expect(try await client.post("/api/v1/apps/ward-app/login", body).status == .ok)
            #expect(try await client.post("/api/v1/apps/other/login", body).status == .forbidden)
        }
    }

    @Test("anonymous users can be turned off")
    func noAnonymousUsers() async throws {
        let server = try await TestServer(
            configuration: ServerConfiguration(otherApps: AppSettings(allowsAnonymousUsers: false))
        )

        try await server.run { client in
            let response = try await client.post("/api/v1/apps/a/login", #"{"provider":"anon-user"}"#)

            #expect(response.status == .forbidden)
        }
    }

    @Test("an unknown path answers 404 as JSON")
    func unknownPath() async throws {
        let server = try await TestServer()

        try await server.run { client in
            let response = try await client.get("/nowhere")

            #expect(response.status == .notFound)
            #expect(response.code == "rejected")
        }
    }
}
