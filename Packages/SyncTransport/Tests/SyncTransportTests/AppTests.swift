import EventModel
import EventModelTesting
import Foundation
import SyncTransport
import SyncTransportTesting
import Testing

@Suite("App")
struct AppTests {
    let folder = TestFolder()
    let reports = Reports()

    private func app(_ client: ScriptedHTTPClient, id: String = "ward", baseURL: String = "http://127.0.0.1:8080/")
        -> App
    {
        App(
            id: id,
            configuration: AppConfiguration(
                baseURL: baseURL,
                rootDirectory: folder.path,
                client: client,
                logger: reports.reporting().logger
            )
        )
    }

    private static let session = HTTPResponse.session(user: "62b3", access: "ACCESS", refresh: "REFRESH")

    @Test(
        "each kind of credentials is sent as its provider expects",
        arguments: [
            (Credentials.anonymous, ["provider": "anon-user"]),
            (.userAPIKey("K"), ["provider": "api-key", "key": "K"]),
            (.serverAPIKey("K"), ["provider": "api-key", "key": "K"]),
            (
                .emailPassword(email: "a@b.org", password: "P"),
                ["provider": "local-userpass", "username": "a@b.org", "password": "P"]
            ),
            (.jwt(token: "T"), ["provider": "custom-token", "token": "T"]),
        ]
    )
    func sendsCredentials(credentials: Credentials, expected: [String: String]) async throws {
        let client = ScriptedHTTPClient(answers: [Self.session])

        let user = try await app(client).login(credentials: credentials)

        let request = try #require(client.requests.first)
        #expect(user.id == "62b3")
        #expect(user.appID == "ward")
        #expect(user.state == .loggedIn)
        #expect(request.method == .post)
        #expect(request.url == "http://127.0.0.1:8080/api/v1/apps/ward/login")
        #expect(try JSONDecoder().decode([String: String].self, from: Data(request.body)) == expected)
    }

    @Test("the same anonymous user is back after a restart, without a request")
    func restoresAnonymous() async throws {
        let user = try await app(ScriptedHTTPClient(answers: [Self.session])).login(credentials: .anonymous)

        let restarted = app(ScriptedHTTPClient(answers: []))

        #expect(restarted.currentUser == user)
        #expect(try await restarted.login(credentials: .anonymous) == user)
        #expect(restarted.allUsers == ["62b3": user])
    }

    @Test("the accounts are readable by their owner alone")
    func fileMode() async throws {
        let user = try await app(ScriptedHTTPClient(answers: [Self.session])).login(credentials: .anonymous)

        let attributes = try FileManager.default.attributesOfItem(atPath: "\(user.appDirectory)/accounts.json")

        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("a registered user who logs out is known but has no token, in memory and on the disk")
    func logsOut() async throws {
        let app = app(ScriptedHTTPClient(answers: [Self.session]))
        let user = try await app.login(credentials: .emailPassword(email: "a@b.org", password: "P"))

        try await user.logOut()

        #expect(user.state == .loggedOut)
        #expect(app.currentUser == nil)
        let stored = try String(contentsOfFile: "\(user.appDirectory)/accounts.json", encoding: .utf8)
        #expect(!stored.contains("ACCESS") && !stored.contains("REFRESH"))
        #expect(self.app(ScriptedHTTPClient(answers: [])).allUsers["62b3"]?.state == .loggedOut)
    }

    @Test("an anonymous user who logs out is gone, and the next one is new")
    func anonymousLogsOut() async throws {
        let other = HTTPResponse.session(user: "77aa", access: "A", refresh: "R")
        let app = app(ScriptedHTTPClient(answers: [Self.session, HTTPResponse(status: 204), other]))
        let user = try await app.login(credentials: .anonymous)

        try await user.logOut()

        #expect(user.state == .removed)
        #expect(try await app.login(credentials: .anonymous).id == "77aa")
    }

    @Test("a user who logs in again is the same user")
    func logsInAgain() async throws {
        let app = app(ScriptedHTTPClient(answers: [Self.session, HTTPResponse(status: 204), Self.session]))
        let first = try await app.login(credentials: .userAPIKey("K"))
        try await first.logOut()

        let second = try await app.login(credentials: .userAPIKey("K"))

        #expect(first == second)
        #expect(first.isLoggedIn)
    }

    @Test("a refused log-in says why and changes nothing")
    func refused() async throws {
        let answer = HTTPResponse.json(401, #"{"code":"unauthorized","message":"The password is wrong."}"#)
        let app = app(ScriptedHTTPClient(answers: [answer]))

        let error = await #expect(throws: SyncTransportError.self) {
            try await app.login(credentials: .emailPassword(email: "a@b.org", password: "P"))
        }

        #expect(error?.description == "The log-in failed: The password is wrong. (unauthorized)")
        #expect(app.currentUser == nil)
    }

    @Test("a server that does not answer is a failed log-in that may be tried again")
    func unreachable() async throws {
        let error = await #expect(throws: SyncTransportError.self) {
            try await app(ScriptedHTTPClient(answers: [])).login(credentials: .anonymous)
        }

        guard case .loginFailed(let failure) = error else {
            Issue.record("The error is \(String(describing: error)).")
            return
        }
        #expect(failure.code == .unreachable)
    }

    @Test(
        "a base URL that is no http address is refused before anything is sent",
        arguments: ["", "ward", "ftp://example.org", "http://", "https://example.org?x=1", "not a url"]
    )
    func invalidBaseURL(baseURL: String) async {
        let client = ScriptedHTTPClient(answers: [Self.session])

        await #expect(throws: SyncTransportError.invalidBaseURL) {
            try await app(client, baseURL: baseURL).login(credentials: .anonymous)
        }

        #expect(client.requests == [])
    }

    @Test("damaged accounts are set aside, logged, and a new log-in works")
    func damagedFile() async throws {
        let user = try await app(ScriptedHTTPClient(answers: [Self.session])).login(credentials: .anonymous)
        let path = "\(user.appDirectory)/accounts.json"
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))

        let restarted = app(ScriptedHTTPClient(answers: [Self.session]))

        #expect(restarted.currentUser == nil)
        #expect(FileManager.default.fileExists(atPath: "\(path).damaged"))
        #expect(reports.lines.contains { $0.hasPrefix("error: The stored accounts cannot be read") })
        #expect(try await restarted.login(credentials: .anonymous).id == "62b3")
    }

    @Test("a folder that cannot be made fails the log-in with a sentence, but the user is logged in")
    func cannotSave() async throws {
        try Data().write(to: URL(fileURLWithPath: folder.path))
        let app = app(ScriptedHTTPClient(answers: [Self.session]))

        let error = await #expect(throws: SyncTransportError.self) { try await app.login(credentials: .anonymous) }

        #expect(error?.description.hasPrefix("The accounts could not be saved") == true)
        #expect(app.currentUser?.id == "62b3")
    }

    @Test("no description and no dump shows a secret")
    func secretsStaySecret() async throws {
        let client = ScriptedHTTPClient(answers: [Self.session])
        let app = app(client)
        let user = try await app.login(credentials: .jwt(token: "SECRET"))
        var text = ""
        let shown: [Any] = [
            Credentials.emailPassword(email: "a@b.org", password: "SECRET"), Credentials.userAPIKey("SECRET"),
            Credentials.jwt(token: "SECRET"), user, app, client.requests, Self.session,
            HTTPEventTransport(user: user),
        ]

        for value in shown {
            text += "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
        }

        for secret in ["SECRET", "ACCESS", "REFRESH", "a@b.org"] {
            #expect(!text.contains(secret), "\(secret) is shown.")
        }
    }
}
