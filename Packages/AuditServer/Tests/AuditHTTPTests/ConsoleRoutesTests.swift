import AuditConsole
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditAccounts
@testable import AuditHTTP
@testable import AuditModel

@Suite("Console over HTTP")
struct ConsoleRoutesTests {
    @Test("every file of the console is served with a policy that allows nothing written into a page")
    func files() async throws {
        let server = try await TestServer()

        try await server.run { client async throws in
            for (name, file) in ConsoleFiles.all {
                let response = try await client.get("/console/\(name)")
                #expect(response.status == .ok)
                #expect(Array(response.body.readableBytesView) == file.bytes)
                #expect(response.headers[.contentType] == file.mediaType)
                let policy = try #require(response.headers[.contentSecurityPolicy])
                #expect(policy.contains("default-src 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
            }
            let root = try await client.get("/")
            #expect(root.status == .seeOther)
            #expect(root.headers[.location] == "/console")
            let start = try await client.get("/console")
            #expect(start.headers[.contentType] == "text/html; charset=utf-8")
            for missing in [
                "secret.js", "..%2Findex.html", "%2e%2e", "index.html%00", "search", "ui/secret.js", "ui/index.html",
                "search/api.js", "ui%2Fapi.js", "ui/..%2Findex.html", "..%2Fui/api.js",
            ] {
                let response = try await client.get("/console/\(missing)")
                #expect(response.status == .notFound)
                #expect(try response.decoded(Refusal.self).message == "Nothing is served at this path.")
            }
        }
    }

    @Test("no file has a script or a style inside, or loads anything of another server")
    func pages() throws {
        for (name, file) in ConsoleFiles.all {
            let text = try #require(String(validating: file.bytes, as: UTF8.self))
            #expect(
                !text.contains("innerHTML") && !text.contains("insertAdjacentHTML") && !text.contains("eval("),
                "\(name)"
            )
            #expect(!text.contains(" style=") && !text.contains("<style"), "\(name)")
            #expect(!text.replacing("http://www.w3.org/2000/svg", with: "").contains("http"), "\(name)")
        }
    }

    private static let uri = "/api/v1/console/session"

    private func site(_ value: String) throws -> HTTPFields {
        [try #require(HTTPField.Name("Sec-Fetch-Site")): value]
    }

    /// Signs in as a page of the console does, and returns what the browser sends from then on.
    private func signIn(_ client: any TestClientProtocol, _ token: String) async throws -> HTTPFields {
        let answer = try await client.post(Self.uri, #"{"token":"\#(token)"}"#, as: site("same-origin"))
        try #require(answer.status == .noContent)
        let cookie = try #require(answer.headers[.setCookie]?.split(separator: ";").first)
        return [.cookie: String(cookie)]
    }

    private func signOut(_ client: any TestClientProtocol, _ headers: HTTPFields) async throws -> TestResponse {
        var all = try site("same-origin")
        all[.cookie] = headers[.cookie]
        return try await client.execute(uri: Self.uri, method: .delete, headers: all)
    }

    @Test(
        "who signs in gets a cookie that no script reads, that is not the token, and that counts for our own pages alone"
    )
    func session() async throws {
        let server = try await TestServer()
        let token = try await server.tokens.issue(.auditor, for: .access)

        try await server.run { client async throws in
            let signedIn = try await client.post(Self.uri, #"{"token":"\#(token)"}"#, as: site("same-origin"))
            #expect(signedIn.status == .noContent)
            let cookie = try #require(signedIn.headers[.setCookie])
            #expect(cookie.hasPrefix("daybook-session="))
            #expect(cookie.hasSuffix("; Path=/api/v1; HttpOnly; SameSite=Strict"))
            #expect(!cookie.contains(token))
            let value = try #require(cookie.split(separator: ";").first)
            let headers: HTTPFields = [.cookie: "other=1; \(value)"]
            let here = try await client.get(Self.uri, as: headers)
            #expect(here.status == .ok)
            #expect(try here.decoded(SignedIn.self).role == "auditor")
            // Twelve hours after the start of the clock.
            #expect(try here.decoded(SignedIn.self).expires == "2023-11-15T10:13:20.000000Z")
            let search = try await client.get("/api/v1/search", as: headers)
            #expect(search.status == .ok)
            let post = try await client.post("/api/v1/apps/a/users", "{}", as: headers)
            #expect(post.status == .unauthorized)
            var foreign = headers
            for (name, value) in try site("cross-site").map({ ($0.name, $0.value) }) { foreign[name] = value }
            let refused = try await client.get("/api/v1/search", as: foreign)
            #expect(refused.status == .unauthorized)
            var elsewhere = headers
            elsewhere[.origin] = "http://elsewhere"
            #expect(try await client.get("/api/v1/search", as: elsewhere).status == .unauthorized)
        }
    }

    @Test("a copied cookie is worth nothing once its session has ended, and is never a bearer's token")
    func ending() async throws {
        let server = try await TestServer()
        let token = try await server.tokens.issue(.auditor, for: .access)

        try await server.run { client async throws in
            let (first, second) = (try await signIn(client, token), try await signIn(client, token))
            let value = try #require(first[.cookie]?.split(separator: "=").last)
            let bearer: HTTPFields = [.authorization: "Bearer \(value)"]
            #expect(try await client.get("/api/v1/search", as: bearer).status == .unauthorized)
            let raw: HTTPFields = [.cookie: "daybook-session=\(token)"]
            #expect(try await client.get("/api/v1/search", as: raw).status == .unauthorized)

            #expect(try await signOut(client, first).status == .noContent)
            let refused = try await client.get("/api/v1/search", as: first)
            #expect(refused.status == .unauthorized)
            #expect(
                try refused.decoded(Refusal.self).message
                    == "The token is not accepted: its session has ended, so that somebody has to sign in."
            )
            #expect(try await client.get("/api/v1/search", as: second).status == .ok)
            server.clock.advance(microseconds: 43_200 * 1_000_000)
            #expect(try await client.get("/api/v1/search", as: second).status == .unauthorized)
        }
    }

    @Test("a session of the console ends with the token that it was begun with, revoked or over")
    func token() async throws {
        let server = try await TestServer()
        let now = server.clock.now().wall
        let record = IssuedToken(
            id: "0000000000000000000000ff",
            identity: .auditor,
            name: "Dr. Adams",
            issued: now,
            expires: EventInstant(microseconds: now.microseconds + 60_000_000)
        )
        try await server.accounts.add(record)
        let token = try await server.tokens.issue(record)

        try await server.run { client async throws in
            let headers = try await signIn(client, token)
            let here = try await client.get(Self.uri, as: headers).decoded(SignedIn.self)
            #expect(here.expires == "\(record.expires)")
            #expect(here.token == record.id)
            _ = try await server.accounts.revokeToken(record.id, at: now)
            #expect(try await client.get("/api/v1/search", as: headers).status == .unauthorized)
        }
    }

    @Test("nobody is signed in by a page of another server, by the word of the browser or without it")
    func foreignSignIn() async throws {
        let server = try await TestServer()
        let token = try await server.tokens.issue(.auditor, for: .access)
        let body = #"{"token":"\#(token)"}"#
        let refused: [HTTPFields] = [
            [:], try site("cross-site"), try site("same-site"), try site("none"), [.origin: "http://elsewhere"],
            [.origin: "null"], [.origin: ""],
        ]

        try await server.run { client async throws in
            for headers in refused {
                let response = try await client.post(Self.uri, body, as: headers)
                #expect(response.status == .forbidden, "\(headers)")
                #expect(response.headers[.setCookie] == nil)
                let out = try await client.execute(uri: Self.uri, method: .delete, headers: headers)
                #expect(out.status == .forbidden, "\(headers)")
            }
        }
        try await server.run(.live) { client async throws in
            // The host that this client names.
            for (origin, status) in [
                ("http://localhost", HTTPResponse.Status.noContent), ("http://localhost:1", .forbidden),
            ] {
                #expect(try await client.post(Self.uri, body, as: [.origin: origin]).status == status, "\(origin)")
            }
        }
    }

    @Test("who signs in to the console, and who signs out, is in the trail; who had no session any more is not")
    func trail() async throws {
        let server = try await TestServer()
        let token = try await server.tokens.issue(.auditor, for: .access)

        try await server.run { client async throws in
            _ = try await client.post(Self.uri, #"{"token":"no token"}"#, as: site("same-origin"))
            let cookie = try await signIn(client, token)[.cookie]
            for cookie in [cookie, cookie, cookie.map { "\($0)x" }, ""] {
                let out = try await signOut(client, cookie.map { [.cookie: $0] } ?? [:])
                #expect(out.status == .noContent)
                #expect(out.headers[.setCookie]?.contains("Max-Age=0") == true)
            }
        }
        let trail = try await server.store
            .events(EventFilter(app: TrailEvent.app), after: nil, limit: 100, maximumBytes: .max).events
        #expect(trail.compactMap { $0.event?.activity } == ["sign in", "sign out"])
        let data = trail.compactMap { $0.event?.data.map { String(decoding: $0, as: UTF8.self) } }
        #expect(data.allSatisfy { $0.contains(#""role":"auditor""#) && !$0.contains(token) })
    }

    private struct SignedIn: Decodable {
        let role: String
        let token: String?
        let expires: String
    }

    @Test("a cookie changes something only for a page of this server, by the word of the browser")
    func changes() async throws {
        let server = try await TestServer()
        let token = try await server.tokens.issue(.reviewer, for: .access)
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let expectations: [(HTTPFields, HTTPResponse.Status)] = [
            ([:], .unauthorized), ([site: "same-origin"], .forbidden), ([site: "same-site"], .unauthorized),
            ([site: "none"], .unauthorized), ([site: "cross-site", .origin: "http://localhost"], .unauthorized),
            ([.origin: "http://elsewhere"], .unauthorized), ([.origin: "null"], .unauthorized),
        ]

        try await server.run { client async throws in
            let cookie = try await signIn(client, token)[.cookie]
            for (fields, status) in expectations {
                var headers = fields
                headers[.cookie] = cookie
                // Whoever is let in is a reviewer, who adds no users.
                let response = try await client.post("/api/v1/apps/a/users", "{}", as: headers)
                #expect(response.status == status, "\(fields)")
            }
        }
        let live = try await TestServer()
        try await live.run(.live) { client async throws in
            let cookie = try await signIn(client, live.tokens.issue(.reviewer, for: .access))[.cookie]
            // The host that this client names.
            for (origin, status) in [
                ("http://localhost", HTTPResponse.Status.forbidden), ("http://localhost:1", .unauthorized),
            ] {
                var headers: HTTPFields = [.origin: origin]
                headers[.cookie] = cookie
                let response = try await client.post("/api/v1/apps/a/users", "{}", as: headers)
                #expect(response.status == status, "\(origin)")
            }
        }
    }

    @Test("an administrator signs in, too, and reads no event with the cookie")
    func administrator() async throws {
        let server = try await TestServer()
        let token = try await server.tokens.issue(.administrator, for: .access)

        try await server.run { client async throws in
            let cookie = try await signIn(client, token)
            let here = try await client.get(Self.uri, as: cookie)
            #expect(try here.decoded(SignedIn.self).role == "administrator")
            let expectations: [(String, HTTPResponse.Status)] = [
                ("holds", .ok), ("erasures", .ok), ("retention", .ok), ("search", .forbidden), ("events", .forbidden),
                ("views", .forbidden), ("alerts", .forbidden), ("exports", .forbidden),
            ]
            for (path, status) in expectations {
                let response = try await client.get("/api/v1/\(path)", as: cookie)
                #expect(response.status == status, "\(path)")
            }
        }
    }

    @Test("nobody else signs in to the console")
    func roles() async throws {
        let server = try await TestServer()
        let tokens = [
            ("no token", HTTPResponse.Status.unauthorized),
            (try await server.tokens.issue(.uploader(SampleDevice.owner), for: .access), .unauthorized),
            (
                try await server.tokens.signIn(SampleDevice.owner, in: server.accounts, clock: server.clock),
                .forbidden
            ),
        ]

        try await server.run { client async throws in
            for (token, status) in tokens {
                let response = try await client.post(Self.uri, #"{"token":"\#(token)"}"#, as: site("same-origin"))
                #expect(response.status == status)
                #expect(response.headers[.setCookie] == nil)
            }
            let bare = try await client.get("/api/v1/console/session")
            #expect(bare.status == .unauthorized)
        }
    }
}
