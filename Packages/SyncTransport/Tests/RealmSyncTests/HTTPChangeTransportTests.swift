import ChangeModel
import ChangeModelTesting
import Deflate
import EventModel
import EventModelTesting
import SyncTransport
import SyncTransportTesting
import Testing

@testable import RealmSync

@Suite("The server of a realm over HTTP")
struct HTTPChangeTransportTests {
    private let folder = TestFolder()
    private static let binding = FileBinding(history: .sample(0xAB), file: 7, salt: [1])
    private static let bound = BindAnswer(binding: binding, head: 3, acknowledged: 2, serverMilliseconds: 1)

    /// A way to a realm of a user whose first token is `A0`, and what it asked.
    private func transport(
        _ value: String = "ward 3/é",
        prepare: (SyncManager) -> Void = { _ in },
        _ handler: @escaping ScriptedHTTPClient.Handler
    ) async throws -> (HTTPChangeTransport, ScriptedHTTPClient) {
        let client = ScriptedHTTPClient { request in
            if request.url.hasSuffix("/login") { return .session(user: "62b3", access: "A0", refresh: "R0") }
            if request.url.hasSuffix("/refresh") { return .session(user: "62b3", access: "A1", refresh: "R1") }
            return try await handler(request)
        }
        let app = App(
            id: "ward",
            configuration: AppConfiguration(
                baseURL: "https://audit.example.org/base",
                rootDirectory: folder.path,
                client: client,
                clock: ManualClock()
            )
        )
        let user = try await app.login(credentials: .userAPIKey("K"))
        prepare(user.syncManager)
        return (HTTPChangeTransport(user: user, partitionValue: value), client)
    }

    private static func message(_ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: 200, headers: ["content-type": SyncWire.mediaType], body: bytes)
    }

    private func failure(_ answer: HTTPResponse) async throws -> SyncFailure? {
        let (transport, _) = try await transport { _ in answer }
        do {
            _ = try await transport.send([1])
            return nil
        } catch ChangeModelError.failed(let failure) {
            return failure
        }
    }

    @Test("a file is presented with the user's token, the version and the type of the protocol")
    func binding() async throws {
        let (transport, client) = try await transport { _ in Self.message(Self.bound.encoded) }
        let request = BindRequest(schemaHash: .sample, deviceKey: [UInt8](repeating: 1, count: 32))

        let answer = try await transport.bind(request)

        let sent = try #require(client.requests.last)
        #expect(answer == Self.bound)
        #expect(sent.method == .post)
        #expect(sent.url == "https://audit.example.org/base/api/v1/sync/s_ward%203%2F%C3%A9/bind?file=0")
        #expect(
            sent.headers == [
                "authorization": "Bearer A0", "daybook-sync": "1", "content-type": "application/vnd.daybook.sync",
                "accept": "application/vnd.daybook.sync",
            ]
        )
        #expect(sent.body == request.encoded)
    }

    @Test("a batch is made smaller for the way, unless it has few bytes")
    func packing() async throws {
        let answer = SendAnswer(acknowledged: 1, head: 1)
        let (transport, client) = try await transport { _ in Self.message(answer.encoded) }
        let (large, small) = ([UInt8](repeating: 7, count: 5000), [UInt8](repeating: 7, count: 500))

        #expect(try await transport.send(large) == answer)
        #expect(try await transport.send(small) == answer)

        let (packed, plain) = (client.requests[client.requests.count - 2], client.requests[client.requests.count - 1])
        #expect(packed.headers["content-encoding"] == "deflate")
        #expect(packed.body.count < 100)
        #expect(try Inflater(packed.body, limit: 5000).next() == large)
        #expect(plain.headers["content-encoding"] == nil)
        #expect(plain.body == small)
    }

    @Test("entries and objects are asked for as the file that was bound, with what the answer may take")
    func reading() async throws {
        let entries = EntriesAnswer(head: 4, encoded: [[1]])
        let page = SnapshotPage(head: 4, objects: [], next: SnapshotCursor(bytes: [255, 254]))
        let (transport, client) = try await transport { request in
            if request.url.contains("/bind") { return Self.message(Self.bound.encoded) }
            return Self.message(request.url.contains("/objects") ? page.encoded : entries.encodedAnswer)
        }
        _ = try await transport.bind(BindRequest(schemaHash: .sample, deviceKey: [UInt8](repeating: 1, count: 32)))

        #expect(
            try await transport.entries(after: 3, history: .sample(0xAB), wait: .seconds(99), limit: 9 << 20) == entries
        )
        #expect(try await transport.objects(after: page.next, history: .sample(0xAB), limit: 1) == page)

        let base = "https://audit.example.org/base/api/v1/sync/s_ward%203%2F%C3%A9"
        let history = String(repeating: "ab", count: 16)
        let (waiting, paging) = (client.requests[client.requests.count - 2], client.requests[client.requests.count - 1])
        #expect(waiting.url == "\(base)/changes?file=7&after=3&history=\(history)&wait=50&bytes=1048576")
        #expect(waiting.timeout == .seconds(80))
        #expect(waiting.maximumAnswerBytes == ChangeLimits.answerBytes)
        #expect(waiting.isKeptWaiting && !paging.isKeptWaiting)
        #expect(waiting.body == [])
        #expect(paging.url == "\(base)/objects?file=7&history=\(history)&bytes=4096&after=__4")
        #expect(paging.headers["content-type"] == nil)
    }

    @Test("an app says how long its sync waits, and which headers its requests have beside those of the protocol")
    func options() async throws {
        let prepare: (SyncManager) -> Void = { manager in
            manager.timeoutOptions.connectTimeout = 7000
            manager.timeoutOptions.pingKeepalivePeriod = 20_000
            manager.timeoutOptions.pongKeepaliveTimeout = 3000
            manager.customRequestHeaders = ["X-Ward": "7", "Accept": "nothing"]
        }
        let (transport, client) = try await transport(prepare: prepare) { request in
            Self.message(
                request.url.contains("/bind") ? Self.bound.encoded : EntriesAnswer(head: 4, encoded: []).encodedAnswer
            )
        }

        _ = try await transport.bind(BindRequest(schemaHash: .sample, deviceKey: [UInt8](repeating: 1, count: 32)))
        _ = try await transport.entries(after: 3, history: .sample(1), wait: .seconds(50), limit: 1)

        let (binding, waiting) = (
            client.requests[client.requests.count - 2], client.requests[client.requests.count - 1]
        )
        #expect(binding.timeout == .seconds(7))
        #expect(waiting.timeout == .seconds(20 + 3))
        #expect(waiting.url.contains("wait=20&"))
        #expect(waiting.headers["x-ward"] == "7")
        #expect(waiting.headers["accept"] == SyncWire.mediaType)
    }

    @Test("a token that is refused is renewed once, and the request sent again")
    func renewal() async throws {
        let answer = SendAnswer(acknowledged: 1, head: 1)
        let (transport, client) = try await transport { request in
            guard request.headers["authorization"] == "Bearer A1" else { return .refusal(401, .unauthorized) }
            return Self.message(answer.encoded)
        }

        #expect(try await transport.send([7]) == answer)
        #expect(
            client.requests.suffix(3).map { $0.headers["authorization"] } == ["Bearer A0", "Bearer R0", "Bearer A1"]
        )
    }

    @Test(
        "each refusal of the protocol is told in its word",
        arguments: [
            (401, #"{"code":"unauthorized","message":""}"#, SyncFailure.unauthorized),
            (403, #"{"code":"forbidden","message":""}"#, .forbidden),
            (409, #"{"code":"historyChanged","message":""}"#, .historyChanged),
            (409, #"{"code":"fileInUse","message":""}"#, .fileInUse),
            (409, #"{"code":"conflict","message":""}"#, .conflict),
            (409, #"{"code":"gap","message":"","expected":7}"#, .gap(expected: 7)),
            (410, #"{"code":"tooOld","message":"","floor":9}"#, .tooOld(floor: 9)),
            (
                422, #"{"code":"invalidSchemaChange","message":"m","differences":["No."]}"#,
                .invalidSchemaChange(["No."])
            ),
            (422, #"{"code":"invalidSchemaChange","message":"m"}"#, .invalidSchemaChange(["m"])),
            (426, #"{"code":"unsupportedVersion","message":"","versions":[2]}"#, .unsupportedVersion),
            (400, #"{"code":"rejected","message":"Why."}"#, .refused("Why.")),
            (413, #"{"code":"tooLarge","message":"Why."}"#, .refused("Why.")),
            (503, #"{"code":"unavailable","message":""}"#, .busy(retryAfterSeconds: 5)),
        ]
    )
    func refusals(status: Int, body: String, expected: SyncFailure) async throws {
        #expect(try await failure(.json(status, body)) == expected)
    }

    @Test("the server says after how long it is asked again")
    func busy() async throws {
        let answer = HTTPResponse.json(
            429,
            #"{"code":"unavailable","message":""}"#,
            headers: ["Retry-After": "17"]
        )

        #expect(try await failure(answer) == .busy(retryAfterSeconds: 17))
    }

    @Test(
        "what is no answer of ours ends nothing: the server was not reached",
        arguments: [
            HTTPResponse(status: 200, headers: ["content-type": "text/html"], body: Array("<html>".utf8)),
            HTTPResponse(status: 200), .json(403, "<html>"), .json(401, "{}"), .json(502, ""),
            .json(409, #"{"code":"gap","message":""}"#), .json(410, #"{"code":"tooOld"}"#),
            .json(418, #"{"code":"teapot","message":""}"#), .json(200, #"{"code":"forbidden","message":""}"#),
        ]
    )
    func proxies(answer: HTTPResponse) async throws {
        #expect(try await failure(answer) == .unreachable)
    }

    @Test("no answer at all is no error of the realm, and a message that is none is told as such")
    func noAnswer() async throws {
        let (silent, _) = try await transport { _ in throw ScriptedHTTPClient.NoAnswer() }
        await #expect(throws: ChangeModelError.failed(.unreachable)) { try await silent.send([]) }
        let (broken, _) = try await transport { _ in Self.message([1, 2]) }
        await #expect(throws: ChangeModelError.self) { try await broken.send([]) }
    }
}
