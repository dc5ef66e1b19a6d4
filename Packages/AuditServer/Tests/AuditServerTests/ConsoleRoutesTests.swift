import AuditConsole
import AuditServer
import AuditServerTesting
import EventModel
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Console over HTTP")
struct ConsoleRoutesTests {
    @Test("every file of the console is served with a policy that allows nothing written into a page")
    func files() async throws {
        let server = try await TestServer()

        try await server.run { client in
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
            let start = try await client.get("/console")
            #expect(start.headers[.contentType] == "text/html; charset=utf-8")
            for missing in ["secret.js", "..%2Findex.html", "%2e%2e", "index.html%00"] {
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

    @Test("an auditor's token becomes a cookie that no script reads and that counts for our own pages alone")
    func session() async throws {
        let server = try await TestServer()
        let token = try await server.tokens.issue(.auditor, for: .access)

        try await server.run { client in
            let signedIn = try await client.post("/api/v1/console/session", #"{"token":"\#(token)"}"#)
            #expect(signedIn.status == .noContent)
            let cookie = try #require(signedIn.headers[.setCookie])
            #expect(cookie == "daybook-session=\(token); Path=/api/v1; HttpOnly; SameSite=Strict")
            let headers: HTTPFields = [.cookie: "other=1; daybook-session=\(token)"]
            let here = try await client.get("/api/v1/console/session", as: headers)
            #expect(here.status == .ok)
            #expect(try here.decoded(SignedIn.self).role == "auditor")
            #expect(try here.decoded(SignedIn.self).expires == "2024-11-13T22:13:20.000000Z")
            let search = try await client.get("/api/v1/search", as: headers)
            #expect(search.status == .ok)
            let post = try await client.post("/api/v1/apps/a/users", "{}", as: headers)
            #expect(post.status == .unauthorized)
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            var foreign = headers
            foreign[site] = "cross-site"
            let refused = try await client.get("/api/v1/search", as: foreign)
            #expect(refused.status == .unauthorized)
            let login = try await client.post(
                "/api/v1/console/session",
                #"{"token":"\#(token)"}"#,
                as: [site: "same-site"]
            )
            #expect(login.status == .forbidden)
            let out = try await client.execute(uri: "/api/v1/console/session", method: .delete)
            #expect(out.headers[.setCookie]?.contains("Max-Age=0") == true)
        }
    }

    @Test("who signs in to the console, and who signs out, is in the trail; who had no session any more is not")
    func trail() async throws {
        let server = try await TestServer()
        let token = try await server.tokens.issue(.auditor, for: .access)
        let sites: HTTPFields = [try #require(HTTPField.Name("Sec-Fetch-Site")): "same-origin"]

        try await server.run { client in
            let uri = "/api/v1/console/session"
            _ = try await client.post(uri, #"{"token":"no token"}"#)
            _ = try await client.post(uri, #"{"token":"\#(token)"}"#)
            for cookie in ["daybook-session=\(token)", "daybook-session=\(token)x", ""] {
                var headers = sites
                headers[.cookie] = cookie
                let out = try await client.execute(uri: uri, method: .delete, headers: headers)
                #expect(out.status == .noContent)
                #expect(out.headers[.setCookie]?.contains("Max-Age=0") == true)
            }
        }
        let trail = try await server.store
            .events(EventFilter(app: AuditTrail.app), after: nil, limit: 100, maximumBytes: .max).events
        #expect(trail.compactMap { $0.event?.activity } == ["sign in", "sign out"])
        let data = trail.compactMap { $0.event?.data.map { String(decoding: $0, as: UTF8.self) } }
        #expect(data.allSatisfy { $0.contains(#""role":"auditor""#) && !$0.contains(token) })
    }

    private struct SignedIn: Decodable {
        let role: String
        let expires: String
    }

    @Test("a cookie changes something only for a page of this server, by the word of the browser")
    func changes() async throws {
        let server = try await TestServer()
        let cookie = "daybook-session=\(try await server.tokens.issue(.reviewer, for: .access))"
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let expectations: [(HTTPFields, HTTPResponse.Status)] = [
            ([:], .unauthorized), ([site: "same-origin"], .forbidden), ([site: "same-site"], .unauthorized),
            ([site: "none"], .unauthorized), ([site: "cross-site", .origin: "http://localhost"], .unauthorized),
            ([.origin: "http://elsewhere"], .unauthorized), ([.origin: "null"], .unauthorized),
        ]

        try await server.run { client in
            for (fields, status) in expectations {
                var headers = fields
                headers[.cookie] = cookie
                // Whoever is let in is a reviewer, who adds no users.
                let response = try await client.post("/api/v1/apps/a/users", "{}", as: headers)
                #expect(response.status == status, "\(fields)")
            }
        }
        try await server.run(.live) { client in
            // The host that this client names.
            for (origin, status) in [
                ("http://localhost", HTTPResponse.Status.forbidden), ("http://localhost:1", .unauthorized),
            ] {
                let headers: HTTPFields = [.cookie: cookie, .origin: origin]
                let response = try await client.post("/api/v1/apps/a/users", "{}", as: headers)
                #expect(response.status == status, "\(origin)")
            }
        }
    }

    @Test("an administrator signs in, too, and reads no event with the cookie")
    func administrator() async throws {
        let server = try await TestServer()
        let token = try await server.tokens.issue(.administrator, for: .access)

        try await server.run { client in
            let signedIn = try await client.post("/api/v1/console/session", #"{"token":"\#(token)"}"#)
            #expect(signedIn.status == .noContent)
            let cookie: HTTPFields = [.cookie: "daybook-session=\(token)"]
            let here = try await client.get("/api/v1/console/session", as: cookie)
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
            (try await server.tokens.issue(.uploader(SampleDevice.owner), for: .access), .forbidden),
        ]

        try await server.run { client in
            for (token, status) in tokens {
                let response = try await client.post("/api/v1/console/session", #"{"token":"\#(token)"}"#)
                #expect(response.status == status)
                #expect(response.headers[.setCookie] == nil)
            }
            let bare = try await client.get("/api/v1/console/session")
            #expect(bare.status == .unauthorized)
        }
    }
}
