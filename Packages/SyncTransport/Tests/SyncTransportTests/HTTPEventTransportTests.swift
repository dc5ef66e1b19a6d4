import EventModel
import EventModelTesting
import Foundation
import SyncTransport
import SyncTransportTesting
import Synchronization
import Testing

@Suite("HTTPEventTransport")
struct HTTPEventTransportTests {
    let folder = TestFolder()

    /// Logs a user in whose first token is `A0`, and answers every other request by the closure.
    private func user(_ handler: @escaping ScriptedHTTPClient.Handler) async throws -> (User, ScriptedHTTPClient) {
        let client = ScriptedHTTPClient { request in
            if request.url.hasSuffix("/login") { return .session(user: "62b3", access: "A0", refresh: "R0") }
            return try await handler(request)
        }
        let clock = ManualClock(start: EventInstant(microseconds: 784_111_770_000_000))
        let configuration = AppConfiguration(
            baseURL: "https://audit.example.org/base/",
            rootDirectory: folder.path,
            client: client,
            clock: clock
        )
        let app = App(id: "ward", configuration: configuration)
        return (try await app.login(credentials: .userAPIKey("K")), client)
    }

    private func failure(of answer: HTTPResponse) async throws -> TransportError? {
        let (user, _) = try await user { _ in answer }
        return await #expect(throws: TransportError.self) {
            try await HTTPEventTransport(user: user).send(Sample.stretch(from: 1, count: 1))
        }
    }

    private static func encoded(_ proof: DurabilityProof) throws -> HTTPResponse {
        try SampleSigner.usual.answer(proof)
    }

    // MARK: - The request

    @Test("a stretch is posted to its partition with the user's token")
    func request() async throws {
        let (user, client) = try await user { _ in try Self.encoded(Sample.proof(through: 2)) }
        let stretch = Sample.stretch(from: 1, count: 2)

        let proof = try await HTTPEventTransport(user: user).send(stretch)

        let request = try #require(client.requests.last)
        let partitions = "https://audit.example.org/base/api/v1/partitions"
        #expect(proof == Sample.proof(through: 2))
        #expect(request.method == .post)
        #expect(request.url == "\(partitions)/events-000000000000000700000001/events")
        #expect(request.headers["authorization"] == "Bearer A0")
        #expect(request.headers["content-type"] == "application/vnd.daybook.stretch")
        #expect(request.body == (try stretch.wireBytes()))
    }

    @Test("a prefix of any characters is one segment of the path")
    func percentEncoding() async throws {
        let (user, client) = try await user { _ in .json(404, "") }
        let partition = PartitionID(prefix: "e v?#%\u{e9}", id: ObjectId(high: 0, low: 1))

        await #expect(throws: TransportError.self) { try await HTTPEventTransport(user: user).proof(of: partition) }

        let request = try #require(client.requests.last)
        #expect(request.method == .get)
        #expect(request.url.hasSuffix("/partitions/e%20v%3F%23%25%C3%A9-000000000000000000000001"))
    }

    @Test("the transport keeps the rules of its seam when the server does")
    func conformance() async throws {
        let server = FakeTransport()
        let (user, _) = try await user { request in
            let stretch = try request.body.withUnsafeBytes { try PartitionStretch(wireBytes: $0) }
            do {
                return try Self.encoded(try await server.send(stretch))
            } catch let error as TransportError {
                return .json(409, #"{"code":"\#(error.code)","message":"\#(error.message)"}"#)
            }
        }

        #expect(await EventTransportConformance(transport: HTTPEventTransport(user: user)).brokenRules() == [])
    }

    // MARK: - Answers

    @Test(
        "the code of the server's own JSON decides, whatever the status",
        arguments: [
            TransportError.Code.rejected, .forbidden, .conflict, .tooLarge, .invalidSchemaChange, .unavailable,
        ]
    )
    func codes(code: TransportError.Code) async throws {
        for status in [400, 403, 409, 413, 422, 500, 503] {
            let error = try await failure(of: .json(status, #"{"code":"\#(code)","message":"A sentence."}"#))

            #expect(error?.code == code)
            #expect(error?.message == "A sentence.")
            #expect(error?.retryAfter == nil)
        }
    }

    @Test(
        "an answer of somebody in between never decides about evidence, whatever its status",
        arguments: [
            201, 204, 302, 307, 400, 401, 403, 404, 405, 407, 408, 409, 410, 418, 422, 429, 451, 500, 502, 503, 599,
        ]
    )
    func proxyPage(status: Int) async throws {
        for body in [
            "", "<html>SECRET</html>", "{}", #"{"code":"SECRET","message":"SECRET"}"#, #"{"message":"SECRET"}"#,
        ] {
            let error = try await failure(of: .json(status, body))

            #expect(error?.code == .unavailable)
            #expect(
                error?.message == "Something answered with status \(status) in the server's place, for example a proxy."
            )
        }
    }

    @Test("a proxy that takes no large bodies gets smaller ones")
    func proxyLimit() async throws {
        let error = try await failure(of: .json(413, "<html>413 Request Entity Too Large</html>"))

        #expect(error?.code == .bodyRefused)
        #expect(error?.code.remedy == .splitOrRetry)
    }

    @Test(
        "a 200 that is no proof of this partition proves nothing",
        arguments: [
            "", "{}", "null",
            #"{"partition":"x","durableThrough":1,"root":"00","isSealed":false}"#,
        ]
    )
    func malformed(body: String) async throws {
        let error = try await failure(of: .json(200, body))

        #expect(error?.code == .malformedAnswer)
        #expect(error?.message == "The server's answer is not the expected JSON.")
    }

    @Test("a proof of another partition proves nothing")
    func foreignProof() async throws {
        let foreign = DurabilityProof(
            partition: Sample.partition(2),
            durableThrough: 1,
            root: Sample.root(through: 1),
            isSealed: false
        )

        #expect(try await failure(of: Self.encoded(foreign))?.code == .malformedAnswer)
    }

    @Test(
        "Retry-After is read as seconds and as a date",
        arguments: [
            ("120", Duration.seconds(120)), ("0", .zero), (" 7 ", .seconds(7)),
            ("99999999999999999999999", .seconds(1_000_000_000)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(7)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
            ("-5", nil), ("soon", nil), ("", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
        ] as [(String, Duration?)]
    )
    func retryAfter(value: String, expected: Duration?) async throws {
        let error = try await failure(of: HTTPResponse(status: 503, headers: ["Retry-After": value]))

        #expect(error?.retryAfter == expected)
    }

    @Test("no answer is unreachable")
    func noAnswer() async throws {
        let (user, _) = try await user { _ in throw ScriptedHTTPClient.NoAnswer() }

        let error = await #expect(throws: TransportError.self) {
            try await HTTPEventTransport(user: user).send(Sample.stretch(from: 1, count: 1))
        }

        #expect(error?.code == .unreachable)
        #expect(error?.message == "The server cannot be reached: no answer")
    }

    // MARK: - Tokens

    /// Accepts `accepted` alone and answers a refresh by the closure.
    private func guarded(
        _ accepted: String,
        refresh: @escaping @Sendable () async throws -> HTTPResponse
    ) -> ScriptedHTTPClient.Handler {
        { request in
            if request.url.hasSuffix("/token/refresh") { return try await refresh() }
            guard request.headers["authorization"] == "Bearer \(accepted)" else { return .refusal(401, .unauthorized) }
            return try Self.encoded(Sample.proof(through: 1))
        }
    }

    @Test("a refused token is renewed with the refresh token and the stretch sent again")
    func refreshes() async throws {
        let (user, client) = try await user(
            guarded("A1") { .session(user: "62b3", access: "A1", refresh: "R1") }
        )
        let transport = HTTPEventTransport(user: user)

        let first = try await transport.send(Sample.stretch(from: 1, count: 1))
        let second = try await transport.send(Sample.stretch(from: 1, count: 1))

        let refreshes = client.requests.filter { $0.url.hasSuffix("/token/refresh") }
        #expect(first == second)
        #expect(refreshes.map { $0.headers["authorization"] } == ["Bearer R0"])
        #expect(client.requests.count == 5)
        let stored = try String(contentsOfFile: "\(user.appDirectory)/accounts.json", encoding: .utf8)
        #expect(stored.contains("R1") && !stored.contains("R0"))
    }

    @Test("requests that are refused together share one refresh")
    func singleFlight() async throws {
        let refused = TestGate(arrivals: 8)
        let accepting = guarded("A1") {
            await refused.pass()
            return .session(user: "62b3", access: "A1", refresh: "R1")
        }
        let (user, client) = try await user { request in
            if request.headers["authorization"] == "Bearer A0" { refused.arrive() }
            return try await accepting(request)
        }
        let transport = HTTPEventTransport(user: user)

        try await withThrowingTaskGroup(of: DurabilityProof.self) { group in
            for _ in 0..<8 { group.addTask { try await transport.send(Sample.stretch(from: 1, count: 1)) } }
            for try await proof in group { #expect(proof == Sample.proof(through: 1)) }
        }

        #expect(client.requests.filter { $0.url.hasSuffix("/token/refresh") }.count == 1)
    }

    @Test("a token that is refused after a refresh is unauthorized, without a third attempt")
    func refusedTwice() async throws {
        let (user, client) = try await user(
            guarded("none") { .session(user: "62b3", access: "A0", refresh: "R1") }
        )

        let error = await #expect(throws: TransportError.self) {
            try await HTTPEventTransport(user: user).send(Sample.stretch(from: 1, count: 1))
        }

        #expect(error?.code == .unauthorized)
        #expect(client.requests.count == 4)
    }

    @Test(
        "a refresh that fails gives its own code",
        arguments: [
            (HTTPResponse.refusal(401, .unauthorized), TransportError.Code.unauthorized),
            (HTTPResponse.refusal(403, .forbidden), .unauthorized),
            (HTTPResponse(status: 503), .unavailable),
            (.session(user: "other", access: "A1", refresh: "R1"), .malformedAnswer),
        ]
    )
    func refreshFails(answer: HTTPResponse, code: TransportError.Code) async throws {
        let (user, _) = try await user(guarded("A1") { answer })

        let error = await #expect(throws: TransportError.self) {
            try await HTTPEventTransport(user: user).send(Sample.stretch(from: 1, count: 1))
        }

        #expect(error?.code == code)
        #expect(user.isLoggedIn)
    }

    @Test("a cancelled refresh does not fail the others, who ask again")
    func cancelledRefresh() async throws {
        let started = TestGate()
        let attempts = Mutex(0)
        let (user, _) = try await user(
            guarded("A1") {
                let attempt = attempts.withLock { count in
                    count += 1
                    return count
                }
                guard attempt == 1 else { return .session(user: "62b3", access: "A1", refresh: "R1") }
                started.arrive()
                try await ManualSleep().sleep(.seconds(1))
                throw ScriptedHTTPClient.NoAnswer()
            }
        )
        let transport = HTTPEventTransport(user: user)

        let first = Task { try await transport.send(Sample.stretch(from: 1, count: 1)) }
        await started.pass()
        let second = Task { try await transport.send(Sample.stretch(from: 1, count: 1)) }
        first.cancel()

        #expect(try await second.value == Sample.proof(through: 1))
        await #expect(throws: TransportError(.unreachable, message: "")) { try await first.value }
    }

    @Test("a user who is logged out is unauthorized, without a request")
    func loggedOut() async throws {
        let (user, client) = try await user { _ in .json(500, "") }
        try await user.logOut()

        let error = await #expect(throws: TransportError.self) {
            try await HTTPEventTransport(user: user).send(Sample.stretch(from: 1, count: 1))
        }

        #expect(error?.code == .unauthorized)
        #expect(client.requests.map(\.method) == [.post, .delete])
    }
}
