import EventModel
import EventModelTesting
import Foundation
import SyncTransport
import SyncTransportTesting
import Testing

@Suite("App and User, with completions and further calls")
struct AppCompletionTests {
    let folder = TestFolder()

    private static let nurse = Credentials.emailPassword(email: "a@b.org", password: "P")
    private static let session = HTTPResponse.session(user: "62b3", access: "ACCESS", refresh: "REFRESH")

    private func app(_ answers: HTTPResponse..., id: String = "ward") -> (App, ScriptedHTTPClient) {
        let client = ScriptedHTTPClient(answers: answers)
        let configuration = AppConfiguration(
            baseURL: "https://audit.example.org",
            rootDirectory: folder.path,
            client: client
        )
        return (App(id: id, configuration: configuration), client)
    }

    private func error(of call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            call { continuation.resume(returning: $0) }
        }
    }

    // MARK: - Completions

    @Test("a log-in calls its completion with the user")
    func logsIn() async throws {
        let (app, _) = app(Self.session)

        let user = try await withCheckedThrowingContinuation { continuation in
            app.login(credentials: Self.nurse) { continuation.resume(with: $0) }
        }

        #expect(user.id == "62b3")
        #expect(app.currentUser == user)
    }

    @Test("a refused log-in calls its completion with the error")
    func refused() async {
        let (app, _) = app(.json(401, #"{"code":"unauthorized","message":"The password is wrong."}"#))

        await #expect(throws: SyncTransportError.loginFailed(TransportError(.unauthorized, message: ""))) {
            try await withCheckedThrowingContinuation { continuation in
                app.login(credentials: Self.nurse) { continuation.resume(with: $0) }
            }
        }
        #expect(app.currentUser == nil)
    }

    @Test("logging out, forgetting and removing call their completions with nil")
    func ends() async throws {
        let gone = HTTPResponse(status: 204)
        let (app, client) = app(Self.session, gone, Self.session, gone, Self.session, gone)

        let user = try await app.login(credentials: Self.nurse)
        #expect(await error(of: { user.logOut($0) }) == nil)
        #expect(user.state == .loggedOut)
        _ = try await app.login(credentials: Self.nurse)
        #expect(await error(of: { user.remove($0) }) == nil)
        #expect(user.state == .removed)
        _ = try await app.login(credentials: Self.nurse)
        #expect(await error(of: { user.delete($0) }) == nil)
        #expect(user.state == .removed)
        #expect(client.requests.last?.method == .delete)
    }

    @Test("a removal that the server refuses calls its completion with the error")
    func deletionFails() async throws {
        let (app, _) = app(Self.session, .refusal(403, .forbidden))
        let user = try await app.login(credentials: Self.nurse)

        let failure = await error(of: { user.delete($0) })

        #expect(
            failure as? SyncTransportError == .deletionFailed(TransportError(.forbidden, message: ""))
        )
        #expect(user.isLoggedIn)
    }

    @Test("a registration calls its completion with nil, and with the error when it is refused")
    func registers() async {
        let (app, _) = app(.json(200, #"{"userID":"62b3"}"#), .refusal(409, .conflict))
        let auth = app.emailPasswordAuth

        let first = await error(of: { auth.registerUser(email: "a@b.org", password: "P", completion: $0) })
        let second = await error(of: { auth.registerUser(email: "a@b.org", password: "P", completion: $0) })

        #expect(first == nil)
        #expect(
            second as? SyncTransportError == .registrationFailed(TransportError(.conflict, message: ""))
        )
    }

    // MARK: - Several users

    @Test("one of several users who are logged in can be made the current one, also after a restart")
    func switchesUser() async throws {
        let other = HTTPResponse.session(user: "77aa", access: "A", refresh: "R")
        let (app, _) = app(Self.session, other)
        let first = try await app.login(credentials: Self.nurse)
        let second = try await app.login(credentials: .userAPIKey("K"))
        #expect(app.currentUser == second)

        #expect(try app.switch(to: first) == first)

        #expect(app.currentUser == first)
        #expect(self.app().0.currentUser == first)
        #expect(second.isLoggedIn)
    }

    @Test("a user who is logged out, or of another app, cannot be made the current one")
    func refusesSwitch() async throws {
        let (app, _) = app(Self.session)
        let user = try await app.login(credentials: Self.nurse)

        #expect(throws: SyncTransportError.notLoggedIn(user: "62b3")) { try self.app(id: "lab").0.switch(to: user) }
        try await user.logOut()
        #expect(throws: SyncTransportError.notLoggedIn(user: "62b3")) { try app.switch(to: user) }
        #expect(app.currentUser == nil)
    }

    // MARK: - Sessions

    @Test("a session can be renewed ahead of time, with the refresh token")
    func refreshes() async throws {
        let (app, client) = app(Self.session, .session(user: "62b3", access: "A2", refresh: "R2"))
        let user = try await app.login(credentials: Self.nurse)

        try await user.refreshSession()

        #expect(client.requests.last?.headers["authorization"] == "Bearer REFRESH")
        let stored = try String(contentsOfFile: "\(user.appDirectory)/accounts.json", encoding: .utf8)
        #expect(stored.contains("A2"))
        #expect(!stored.contains("ACCESS"))
    }

    @Test("a session that the server does not renew is reported, and the user is as before")
    func refreshFails() async throws {
        let (app, _) = app(Self.session, .refusal(401, .unauthorized))
        let user = try await app.login(credentials: Self.nurse)

        let unauthorized = TransportError(.unauthorized, message: "")
        await #expect(throws: SyncTransportError.refreshFailed(unauthorized)) { try await user.refreshSession() }
        #expect(user.isLoggedIn)
        try await user.logOut()
        await #expect(throws: SyncTransportError.notLoggedIn(user: "62b3")) { try await user.refreshSession() }
    }

    @Test("no error of an account shows a secret")
    func descriptions() {
        let error = TransportError(.unauthorized, message: "No.")
        let errors: [SyncTransportError] = [
            .refreshFailed(error), .notLoggedIn(user: "62b3"), .userRemoved(user: "62b3"),
            .signInRequired([Sample.partition()]),
        ]

        #expect(
            errors.map(\.description) == [
                "The session could not be renewed: No. (unauthorized)",
                "The user 62b3 is not logged in to this app.",
                "The user 62b3 of the events was removed, so that no more events can be recorded for the account.",
                "The events of events-000000000000000700000001 are kept until their user signs in again.",
            ]
        )
        #expect(errors.allSatisfy { !$0.isFatal })
    }
}
