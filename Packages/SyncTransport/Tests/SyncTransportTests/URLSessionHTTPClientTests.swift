import Foundation
import SyncTransport
import SyncTransportTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSessionHTTPClient on loopback")
struct URLSessionHTTPClientTests {
    @Test("a request and its answer arrive whole")
    func roundTrip() async throws {
        let server = try LoopbackServer(answers: [
            "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 5\r\nConnection: close\r\n\r\nlater"
        ])

        let answer = try await URLSessionHTTPClient()
            .send(
                HTTPRequest(
                    method: .post,
                    url: "http://127.0.0.1:\(server.port)/a%2Fb",
                    headers: ["authorization": "Bearer T", "content-type": "text/plain"],
                    body: Array("body".utf8)
                )
            )

        let request = try #require(server.requests.first)
        #expect(answer == HTTPResponse(status: 503, headers: answer.headers, body: Array("later".utf8)))
        #expect(answer.headers["retry-after"] == "7")
        #expect(request.hasPrefix("POST /a%2Fb HTTP/1.1\r\n"))
        #expect(request.lowercased().contains("authorization: bearer t\r\n"))
        #expect(request.hasSuffix("\r\n\r\nbody"))
    }

    @Test("a redirect is an answer and is not followed")
    func redirect() async throws {
        let target = try LoopbackServer(answers: ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"])
        let location = "http://127.0.0.1:\(target.port)/"
        let server = try LoopbackServer(answers: [
            "HTTP/1.1 307 Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ])

        let answer = try await URLSessionHTTPClient()
            .send(
                HTTPRequest(
                    method: .post,
                    url: "http://127.0.0.1:\(server.port)/",
                    headers: ["authorization": "Bearer T"],
                    body: [1]
                )
            )

        #expect(answer.status == 307)
        #expect(target.requests == [])
        // Lets the target's thread end.
        _ = try await URLSessionHTTPClient().send(HTTPRequest(method: .get, url: location))
    }

    @Test("a cookie is not sent back")
    func cookies() async throws {
        let answer = "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try LoopbackServer(answers: [answer, answer])
        let client = URLSessionHTTPClient()
        let request = HTTPRequest(method: .get, url: "http://127.0.0.1:\(server.port)/")

        _ = try await client.send(request)
        _ = try await client.send(request)

        #expect(server.requests.count == 2)
        #expect(!server.requests[1].lowercased().contains("cookie:"))
    }

    @Test("a request that is cancelled before it starts is not sent")
    func cancelledBefore() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try LoopbackServer(answers: [answer])
        let request = HTTPRequest(method: .get, url: "http://127.0.0.1:\(server.port)/")
        let client = URLSessionHTTPClient()

        let before = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(request)
        }

        await #expect(throws: CancellationError.self) { try await before.value }
        #expect(try await client.send(request).status == 200)
        #expect(server.requests.count == 1)
    }

    @Test("a request that is cancelled while the server thinks ends at once")
    func cancelledMeanwhile() async throws {
        let server = try LoopbackServer(answers: [LoopbackServer.silence])
        let request = HTTPRequest(method: .get, url: "http://127.0.0.1:\(server.port)/")

        let pending = Task { try await URLSessionHTTPClient().send(request) }
        await server.firstRequest.pass()
        pending.cancel()

        await #expect(throws: CancellationError.self) { try await pending.value }
    }

    @Test("whoever has something to say does not wait behind those who wait for news", .timeLimit(.minutes(5)))
    func keptWaiting() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try LoopbackServer(answers: [String](repeating: LoopbackServer.waiting, count: 20) + [answer])
        let client = URLSessionHTTPClient()
        let url = "http://127.0.0.1:\(server.port)/"

        let waiting = (0..<20)
            .map { _ in
                Task { try await client.send(HTTPRequest(method: .get, url: url, isKeptWaiting: true)) }
            }
        var arrivals = server.arrivals.makeAsyncIterator()
        for _ in waiting { await arrivals.next(isolation: #isolation) }

        #expect(try await client.send(HTTPRequest(method: .get, url: url)).status == 200)

        for task in waiting {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("a server that hangs up is a failure that names no address")
    func hangsUp() async throws {
        let server = try LoopbackServer(answers: [""])

        let error = await #expect(throws: URLSessionHTTPClient.Failure.self) {
            try await URLSessionHTTPClient()
                .send(HTTPRequest(method: .get, url: "http://127.0.0.1:\(server.port)/secret"))
        }

        let text = try #require(error).description
        // Foundation takes an answer without a byte for a malformed one on Linux.
        #expect(text.contains("broke off"))
        #expect(!text.contains("127.0.0.1"))
    }

    @Test("an address where nobody listens, and one that is no server's, say what to look at")
    func unreachable() async throws {
        let client = URLSessionHTTPClient()

        // A port that a test had and gave back is soon another test's; the first of all is nobody's.
        let closed = await #expect(throws: URLSessionHTTPClient.Failure.self) {
            try await client.send(HTTPRequest(method: .get, url: "http://127.0.0.1:1/secret"))
        }
        #expect(try #require(closed).description.hasPrefix("No server listens at the address; check its port"))

        let odd = await #expect(throws: URLSessionHTTPClient.Failure.self) {
            try await client.send(HTTPRequest(method: .get, url: "gopher://127.0.0.1/secret"))
        }
        #expect(try #require(odd).description.hasPrefix("The address is none of an HTTP server"))
    }

    @Test("no reason for which a connection fails is told as a number alone, or with the address")
    func words() {
        let codes: [URLError.Code] = [
            .notConnectedToInternet, .dataNotAllowed, .cannotFindHost, .cannotConnectToHost, .timedOut,
            .networkConnectionLost, .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .appTransportSecurityRequiresSecureConnection, .badURL, .badServerResponse,
        ]
        for code in codes {
            let error = URLError(code, userInfo: [NSURLErrorFailingURLStringErrorKey: "https://ward.example/secret"])
            let text = error.words
            #expect(!text.contains("\(error.errorCode)"))
            #expect(!text.contains("secret"))
            #expect(text.hasSuffix("."))
        }
        #expect(
            URLError(.cannotCreateFile).words == "The connection failed; the system's code for the reason is -3000."
        )
    }
}
