import EventModel
import EventModelTesting
import Foundation
import SyncTransport
import SyncTransportTesting
import Testing

@Suite("The end and the renewal of a session")
struct SessionEndTests {
    let folder = TestFolder()
    let reports = Reports()

    private static let nurse = Credentials.emailPassword(email: "a@b.org", password: "P")
    private static let session = HTTPResponse.session(user: "62b3", access: "A0", refresh: "R0")
    private static let renewed = HTTPResponse.session(user: "62b3", access: "A1", refresh: "R1")

    private var accounts: String { "\(folder.path)/mongodb-realm/ward/accounts.json" }

    private func app(_ handler: @escaping ScriptedHTTPClient.Handler) -> (App, ScriptedHTTPClient) {
        let client = ScriptedHTTPClient(handler)
        let configuration = AppConfiguration(
            baseURL: "http://127.0.0.1:8080",
            rootDirectory: folder.path,
            client: client,
            logger: reports.reporting().logger
        )
        return (App(id: "ward", configuration: configuration), client)
    }

    @Test(
        "who logs out, or is forgotten, is gone from the disk before the server ends the session",
        arguments: [true, false]
    )
    func logsOut(keepsUser: Bool) async throws {
        let path = accounts
        let (app, client) = app { request in
            guard request.method == .delete else { return Self.session }
            let stored = try String(contentsOfFile: path, encoding: .utf8)
            #expect(!stored.contains("R0") && !stored.contains("A0"))
            return HTTPResponse(status: 204)
        }
        let user = try await app.login(credentials: Self.nurse)

        if keepsUser { try await user.logOut() } else { try await user.remove() }

        let request = try #require(client.requests.last)
        #expect(client.requests.count == 2)
        #expect(request.method == .delete)
        #expect(request.url == "http://127.0.0.1:8080/api/v1/users/me/session")
        #expect(request.headers["authorization"] == "Bearer R0")
        #expect(request.timeout == .seconds(5))
        #expect(reports.lines == [])
    }

    @Test(
        "a session that has ended on the server already is no concern; a server that cannot be asked is a warning",
        arguments: [401, nil]
    )
    func offline(status: Int?) async throws {
        let (app, _) = app { request in
            if request.method != .delete { return Self.session }
            guard let status else { throw ScriptedHTTPClient.NoAnswer() }
            return .refusal(status, .unauthorized)
        }
        let user = try await app.login(credentials: Self.nurse)

        try await user.logOut()

        #expect(user.state == .loggedOut)
        #expect(reports.lines.count == (status == nil ? 1 : 0))
        #expect(reports.lines.allSatisfy { $0.hasPrefix("warn: A session could not be ended on the server") })
    }

    @Test(
        "a log-in of the same kind brings the token of the session that it takes the place of, and an anonymous one does not"
    )
    func replaces() async throws {
        let (app, client) = app { _ in Self.session }
        func sent() throws -> String? {
            let body = try #require(client.requests.last?.body)
            return try JSONDecoder().decode([String: String].self, from: Data(body))["replaces"]
        }

        _ = try await app.login(credentials: Self.nurse)
        #expect(try sent() == nil)
        _ = try await app.login(credentials: Self.nurse)
        #expect(try sent() == "R0")
        _ = try await app.login(credentials: .userAPIKey("K"))
        #expect(try sent() == nil)
        _ = try await app.login(credentials: .anonymous)
        #expect(try sent() == nil)
    }

    // MARK: - Renewals

    /// Answers log-ins and refreshes, and takes the renewed token alone.
    private func renewing(
        _ onUse: @escaping @Sendable () throws -> Void = {}
    ) -> ScriptedHTTPClient.Handler {
        { request in
            if request.url.hasSuffix("/login") { return Self.session }
            if request.url.hasSuffix("/token/refresh") { return Self.renewed }
            guard request.headers["authorization"] == "Bearer A1" else { return .refusal(401, .unauthorized) }
            try onUse()
            return try SampleSigner.usual.answer(Sample.unsigned(through: 1))
        }
    }

    @Test("a renewed session is on the disk before the first of its tokens is used")
    func savesFirst() async throws {
        let path = accounts
        let (app, _) = app(
            renewing {
                let stored = try String(contentsOfFile: path, encoding: .utf8)
                #expect(stored.contains("R1"))
            }
        )
        let user = try await app.login(credentials: Self.nurse)

        _ = try await HTTPEventTransport(user: user).send(Sample.stretch(from: 1, count: 1))

        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("R1"))
    }

    @Test("a session that another program of the device renewed is renewed with the token from the disk")
    func otherProgram() async throws {
        let (first, client) = app(renewing())
        let user = try await first.login(credentials: Self.nurse)
        let (second, _) = app(renewing())
        try await second.currentUser?.refreshSession()

        _ = try await HTTPEventTransport(user: user).send(Sample.stretch(from: 1, count: 1))

        let refresh = try #require(client.requests.first { $0.url.hasSuffix("/token/refresh") })
        #expect(refresh.headers["authorization"] == "Bearer R1")
    }

    @Test("a renewed session that cannot be saved is used, and saved as soon as that is possible")
    func savesLater() async throws {
        let (app, client) = app(renewing())
        let user = try await app.login(credentials: Self.nurse)
        // In the place of the file that takes the other's place.
        let obstacle = "\(accounts).new"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        let transport = HTTPEventTransport(user: user)

        _ = try await transport.send(Sample.stretch(from: 1, count: 1))
        #expect(reports.lines.contains { $0.hasPrefix("error: The accounts could not be saved") })
        try await user.refreshSession()
        #expect(client.requests.last?.headers["authorization"] == "Bearer R1")
        try FileManager.default.removeItem(atPath: obstacle)
        #expect(try String(contentsOfFile: accounts, encoding: .utf8).contains("R0"))
        _ = try await transport.send(Sample.stretch(from: 1, count: 1))

        #expect(try String(contentsOfFile: accounts, encoding: .utf8).contains("R1"))
    }
}
