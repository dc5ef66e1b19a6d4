import EventModel
import EventModelTesting
import Foundation
import SyncTransport
import SyncTransportTesting
import Testing

@Suite("Registering and removing users")
struct AccountRemovalTests {
    let folder = TestFolder()

    private func app(_ answers: HTTPResponse...) -> (App, ScriptedHTTPClient) {
        let client = ScriptedHTTPClient(answers: answers)
        let configuration = AppConfiguration(
            baseURL: "http://127.0.0.1:8080",
            rootDirectory: folder.path,
            client: client
        )
        return (App(id: "ward", configuration: configuration), client)
    }

    private static let session = HTTPResponse.session(user: "62b3", access: "ACCESS", refresh: "REFRESH")
    private static let renewed = HTTPResponse.session(user: "62b3", access: "SECOND", refresh: "REFRESH2")
    private static let gone = HTTPResponse(status: 204, headers: [:], body: [])
    private static let nurse = Credentials.emailPassword(email: "a@b.org", password: "P")

    @Test("a registration sends address and password to the app's own path, and logs nobody in")
    func registers() async throws {
        let (app, client) = app(.json(200, #"{"userID":"62b3"}"#))

        try await app.emailPasswordAuth.registerUser(email: "a@b.org", password: "P")

        let request = try #require(client.requests.first)
        #expect(request.method == .post)
        #expect(request.url == "http://127.0.0.1:8080/api/v1/apps/ward/register")
        let body = try JSONDecoder().decode([String: String].self, from: Data(request.body))
        #expect(body == ["email": "a@b.org", "password": "P"])
        #expect(app.currentUser == nil)
    }

    @Test("a refused registration says why, without the password")
    func refusedRegistration() async throws {
        let (app, _) = app(.json(409, #"{"code":"rejected","message":"The address is registered already."}"#))

        let error = await #expect(throws: SyncTransportError.self) {
            try await app.emailPasswordAuth.registerUser(email: "a@b.org", password: "SECRET")
        }

        #expect(error?.description.contains("registered already") == true)
        #expect(error.map { "\($0)" }?.contains("SECRET") == false)
    }

    @Test("a user who is removed on the server is forgotten here, and the token was sent")
    func deletes() async throws {
        let (app, client) = app(Self.session, Self.gone)
        let user = try await app.login(credentials: Self.nurse)

        try await user.delete()

        #expect(client.requests.last?.method == .delete)
        #expect(client.requests.last?.url == "http://127.0.0.1:8080/api/v1/users/me")
        #expect(client.requests.last?.headers["authorization"] == "Bearer ACCESS")
        #expect(user.state == .removed)
        #expect(app.currentUser == nil)
        #expect(self.app().0.allUsers.isEmpty)
    }

    @Test("an access token that ran out is renewed for it")
    func renews() async throws {
        let (app, client) = app(Self.session, .refusal(401, .unauthorized), Self.renewed, Self.gone)
        let user = try await app.login(credentials: Self.nurse)

        try await user.delete()

        #expect(client.requests.last?.headers["authorization"] == "Bearer SECOND")
        #expect(user.state == .removed)
    }

    @Test("when the server cannot be asked, the user is as before")
    func keepsUser() async throws {
        let (app, _) = app(Self.session)
        let user = try await app.login(credentials: Self.nurse)

        let error = await #expect(throws: SyncTransportError.self) { try await user.delete() }

        #expect(error == .deletionFailed(TransportError(.unreachable, message: "")))
        #expect(user.state == .loggedIn)
        #expect(app.currentUser == user)
    }

    @Test("a user who is forgotten here leaves no token behind, and may log in again")
    func forgets() async throws {
        let (app, _) = app(Self.session, Self.gone, Self.session)
        let user = try await app.login(credentials: Self.nurse)

        try await user.remove()

        #expect(user.state == .removed)
        let stored = try String(contentsOfFile: "\(user.appDirectory)/accounts.json", encoding: .utf8)
        #expect(!stored.contains("ACCESS"))
        #expect(!stored.contains("REFRESH"))
        #expect(try await app.login(credentials: Self.nurse) == user)
    }

    @Test("an uploader refuses events of a user who was removed, and takes those of one who is logged out")
    func removedUser() async throws {
        let (app, _) = app(Self.session, Self.gone, Self.session, Self.gone)
        let user = try await app.login(credentials: Self.nurse)
        let uploader = Uploader(source: FakePartitionSource(), user: user)
        try uploader.requireUser()

        try await user.logOut()
        try uploader.requireUser()

        _ = try await app.login(credentials: Self.nurse)
        try await user.remove()
        #expect(throws: SyncTransportError.userRemoved(user: "62b3")) { try uploader.requireUser() }
    }
}
