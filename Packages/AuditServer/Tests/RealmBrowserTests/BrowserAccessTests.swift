import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import RealmBrowser

@Suite("Who may browse a realm file")
struct BrowserAccessTests {
    private static let paths = ["/", "/browse/browse.js", "/ui/ui.css", "/api/classes", "/api/changes", "/nothing"]

    @Test("without the token nothing is answered, and a refusal tells nothing of the file")
    func noToken() async throws {
        try await BrowsedFile()
            .serve { client in
                let last = client.token.last == "0" ? "1" : "0"
                let wrong = [
                    "", "0", String(repeating: "0", count: 64), client.token.dropLast() + last, client.token + "0",
                    String(client.token.prefix(63)), client.token.uppercased() + " ",
                ]
                for path in Self.paths {
                    var answers = [try await client.send(path)]
                    for token in wrong {
                        answers.append(try await client.send(path, .GET, [("Authorization", "Bearer \(token)")]))
                        answers.append(try await client.send(path, .GET, [("Authorization", token)]))
                        let cookie = "daybook-realm-\(client.port)=\(token)"
                        answers.append(try await client.send(path, .GET, [("Cookie", cookie)]))
                        if path == "/" {
                            answers.append(try await client.send("/?token=\(token.filter { $0 != " " })"))
                        }
                    }
                    for answer in answers {
                        #expect(answer.status == 401)
                        #expect(answer.text.contains("Open the address that the command printed"))
                        #expect(!answer.text.contains("Person") && answer.headers["Set-Cookie"].isEmpty)
                    }
                }
            }
    }

    @Test("the address gives a cookie that no script reads, which loads pages and no data")
    func cookie() async throws {
        try await BrowsedFile()
            .serve { client in
                let start = try await client.send("/?token=\(client.token)")
                #expect(start.status == 200 && start.headers["Content-Type"] == ["text/html; charset=utf-8"])
                let given = try #require(start.headers["Set-Cookie"].first)
                #expect(given.contains("; HttpOnly; SameSite=Strict") && !given.contains(client.token))
                let cookie = String(given.prefix { $0 != ";" })

                // A server on another port may have set what it likes.
                let name = try #require(cookie.split(separator: "=").first)
                for header in [cookie, "a=b; \(cookie)", "\(name)=wrong; \(cookie)", "\(cookie); \(name)=wrong"] {
                    for path in ["/", "/browse/browse.js", "/ui/elements.js", "/icon.svg"] {
                        #expect(try await client.send(path, .GET, [("Cookie", header)]).status == 200, "\(path)")
                    }
                    #expect(try await client.send("/api/classes", .GET, [("Cookie", header)]).status == 401)
                }
                #expect(try await client.ask("classes").status == 200)
                for path in ["/browse/../console.js", "/search/search.js", "/index.html", "/ui/%2e%2e/icon.svg", "//"] {
                    #expect(try await client.send(path, .GET, [("Cookie", cookie)]).status == 404, "\(path)")
                }
            }
    }

    @Test("two runs have different tokens")
    func runs() throws {
        let file = try BrowsedFile()
        var generator = SystemRandomNumberGenerator()
        let secrets = (0..<4).map { _ in BrowserSecrets(using: &generator) }
        #expect(Set(secrets.flatMap { [$0.token, $0.cookie] }).count == 8)
        #expect(secrets.allSatisfy { $0.token.utf8.count == 64 })
        withExtendedLifetime(file) {}
    }

    @Test("a request for a name that was made to lead here is refused, whoever sends it")
    func hosts() async throws {
        try await BrowsedFile()
            .serve { client in
                let token = ("Authorization", "Bearer \(client.token)")
                for host in [
                    "evil.example", "evil.example:\(client.port)", "127.0.0.1", "localhost", "127.0.0.1:1",
                    "localhost.",
                    "127.0.0.1:\(client.port)0", "[::1]:\(client.port)", "127.0.0.2:\(client.port)", "",
                ] {
                    let answer = try await client.send("/api/classes", .GET, [token, ("Host", host)])
                    #expect(answer.status != 200 && !answer.text.contains("Person"), "\(host)")
                }
                let local = ("Host", "localhost:\(client.port)")
                #expect(try await client.send("/api/classes", .GET, [token, local]).status == 200)
            }
    }

    @Test("nothing but reading is answered, with the token, too")
    func methods() async throws {
        try await BrowsedFile()
            .serve { client in
                let token = ("Authorization", "Bearer \(client.token)")
                for method in [HTTPMethod.POST, .PUT, .DELETE, .PATCH, .HEAD, .OPTIONS, .RAW(value: "WRITE")] {
                    for path in Self.paths {
                        let answer = try await client.send(path, method, [token, ("Origin", "http://evil.example")])
                        #expect(answer.status == 405 || answer.status == 400, "\(method) \(path)")
                    }
                }
                let body = try await client.send("/api/classes", .GET, [token], body: "x")
                #expect(body.status == 405)
            }
    }

    @Test("no answer may be kept, read by a page of somebody else, or taken for something else than it says")
    func headers() async throws {
        try await BrowsedFile()
            .serve { client in
                let token = ("Authorization", "Bearer \(client.token)")
                for path in Self.paths where path != "/api/changes" {
                    let answer = try await client.send(path, .GET, [token, ("Origin", "http://evil.example")])
                    #expect(answer.headers["Cache-Control"] == ["no-store"], "\(path)")
                    #expect(answer.headers["X-Content-Type-Options"] == ["nosniff"], "\(path)")
                    #expect(answer.headers["Cross-Origin-Resource-Policy"] == ["same-origin"], "\(path)")
                    #expect(answer.headers["Referrer-Policy"] == ["no-referrer"], "\(path)")
                    let policy = answer.headers["Content-Security-Policy"].first ?? ""
                    #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "\(path)")
                    #expect(!answer.headers.contains { $0.name.lowercased().hasPrefix("access-control") }, "\(path)")
                }
            }
    }

    @Test("no other address of the machine leads to it")
    func loopback() async throws {
        try await BrowsedFile()
            .serve { client in
                #expect(RawConnection("127.0.0.1", client.port) != nil)
                #expect(RawConnection("127.0.0.2", client.port) == nil)
            }
    }

    @Test("a port that somebody has is a sentence, and the one who has it goes on")
    func takenPort() async throws {
        let file = try BrowsedFile(people: 1)
        try await file.serve { client in
            let second = try RealmBrowser(file.url, port: client.port)
            let error = await #expect(throws: RealmBrowserError.self) { try await second.run { _ in } }
            #expect(error?.description.hasPrefix("Nothing can listen on port \(client.port) of 127.0.0.1: ") == true)
            #expect(try await client.ask("classes").status == 200)
        }
    }

    @Test("a server that is asked to end ends the waits of pages, and is gone")
    func end() async throws {
        let file = try BrowsedFile(people: 1)
        let (clients, waiting) = AsyncStream.makeStream(of: BrowserClient.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // Whatever comes of the wait: it is answered, or the connection ends.
                try? await file.serve { client in
                    let state = try #require(try await client.ask("changes").json["state"] as? String)
                    waiting.yield(client)
                    _ = try await client.ask("changes", ["since": state])
                }
            }
            for await client in clients {
                group.cancelAll()
                await group.waitForAll()
                #expect(RawConnection("127.0.0.1", client.port) == nil)
                break
            }
        }
    }

    @Test("a connection that brings no whole request is closed, and others are answered meanwhile")
    func silence() async throws {
        try await BrowsedFile()
            .serve(patience: .seconds(3)) { client in
                let starts = [
                    "", "GET /api/classes HTTP/1.1\r\nHost: 127.0.0.1", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n1",
                ]
                let silent = try starts.map { start in
                    let connection = try #require(RawConnection("127.0.0.1", client.port))
                    connection.write(start)
                    return connection
                }
                #expect(try await client.ask("classes").status == 200)
                for connection in silent {
                    let text = await connection.readToEnd()
                    #expect(!text.contains(" 200 "))
                }
                #expect(try await client.ask("classes").status == 200)
            }
    }

    @Test("a head without an end, and what is no HTTP, end their connection alone")
    func oddRequests() async throws {
        try await BrowsedFile()
            .serve { client in
                for text in [
                    "GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 100_000))", "\u{1}\u{2}\r\n\r\n",
                    "GET http://evil.example/api/classes HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
                ] {
                    let connection = try #require(RawConnection("127.0.0.1", client.port))
                    connection.write(text)
                    let answer = await connection.readToEnd()
                    #expect(!answer.contains(" 200 "))
                }
                #expect(try await client.ask("classes").status == 200)
            }
    }
}
