import AsyncHTTPClient
import AuditHTTP
import EventModel
import EventModelTesting
import EventProofs
import LogWitness
import NIOCore
import NIOHTTP1
import Testing

@Suite("A witness over HTTP")
struct WitnessServerTests {
    private let folder: TestFolder
    private let log: GrowingLog
    private let keeper: WitnessKeeper

    init() throws {
        folder = try TestFolder.made()
        log = try GrowingLog()
        _ = try WitnessFile.create(at: folder.file("w1.json"), name: "witness.example/w1")
        let file = try WitnessFile(at: folder.file("w1.json"))
        var contents = try file.contents()
        try contents.witness.add(log.signer.verifierKey)
        try file.write(contents)
        keeper = try WitnessKeeper(file, clock: ManualClock())
    }

    private struct Answer {
        let status: UInt
        let type: String?
        let body: [UInt8]
    }

    /// Runs the server for as long as a test needs it.
    private func serve(prefix: String = "", _ body: (Int) async throws -> Void) async throws {
        let server = WitnessServer(keeper, host: "127.0.0.1", port: 0, prefix: prefix)
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { found.finish() }
                try await server.serve { found.yield($0) }
            }
            for await port in ports {
                try await body(port)
                break
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func send(_ port: Int, _ path: String, _ method: HTTPMethod, _ body: [UInt8]? = nil) async throws -> Answer
    {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = method
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        return Answer(
            status: response.status.code,
            type: response.headers.first(name: "content-type"),
            body: Array(bytes.readableBytesView)
        )
    }

    @Test("a log gets the size that the witness knows, and the cosignatures that a policy asks for")
    func protocolOverHTTP() async throws {
        let policy = try WitnessPolicy(
            logKeys: [log.signer.verifierKey],
            witnesses: [keeper.verifierKey],
            quorum: 1
        )
        try await serve { port in
            let first = try await send(port, "/add-checkpoint", .POST, log.request(0, 20))
            let unknowing = try await send(port, "/add-checkpoint", .POST, log.request(0, 30))
            let size = try #require(WitnessAnswer.size(parsing: unknowing.body))
            let next = try await send(port, "/add-checkpoint", .POST, log.request(size, 30))
            let split = try await send(port, "/add-checkpoint", .POST, GrowingLog(forkingAt: 7).request(30, 30))
            let forked = try await send(port, "/add-checkpoint", .POST, GrowingLog(forkingAt: 7).request(30, 40))

            #expect(first.status == 200)
            #expect(unknowing.status == 409)
            #expect(unknowing.type == "text/x.tlog.size")
            #expect(size == 20)
            #expect([next.status, split.status, forked.status] == [200, 409, 422])
            let signed = try log.signed(30).adding(WitnessAnswer(parsing: next.body).signatures)
            let cosigned = try policy.verify(signed)
            #expect(cosigned.cosignatures.map(\.cosignedSeconds) == [1_700_000_000])
        }
    }

    @Test("nothing else is served: other paths, other methods, and bodies beyond the limit")
    func nothingElse() async throws {
        try await serve(prefix: "/w1") { port in
            let root = try await send(port, "/", .GET)
            let wrongs = [
                try await send(port, "/add-checkpoint", .POST, log.request(0, 20)),
                try await send(port, "/w1/add-checkpoint", .GET),
                try await send(port, "/w1/add-checkpoint", .POST, Array("hello".utf8)),
                try await send(port, "/w1/add-checkpoint", .POST, []),
                try await send(
                    port,
                    "/w1/add-checkpoint",
                    .POST,
                    [UInt8](repeating: 97, count: WitnessRequest.maximumBytes + 1)
                ),
                try await send(port, "/", .POST, [1]),
                try await send(port, "/w1/../etc/passwd", .GET),
            ]
            let right = try await send(port, "/w1/add-checkpoint", .POST, log.request(0, 20))

            #expect(root.status == 200)
            let text = String(decoding: root.body, as: UTF8.self)
            #expect(text.hasPrefix("This is the witness witness.example/w1, which cosigns"))
            #expect(text.contains("\(keeper.verifierKey)"))
            #expect(wrongs.map(\.status) == [404, 405, 400, 400, 413, 405, 404])
            #expect(wrongs.allSatisfy { $0.body.last == UInt8(ascii: "\n") })
            #expect(right.status == 200)
        }
    }

    @Test("of requests at once each is decided after the other, and none takes the witness back")
    func concurrent() async throws {
        try await serve { port in
            let first = try await send(port, "/add-checkpoint", .POST, log.request(0, 10))
            let statuses = try await withThrowingTaskGroup(of: UInt.self) { group in
                for size in UInt64(20)..<40 {
                    let body = try log.request(10, size)
                    group.addTask { try await send(port, "/add-checkpoint", .POST, body).status }
                }
                return try await group.reduce(into: [UInt]()) { $0.append($1) }
            }

            #expect(first.status == 200)
            #expect(statuses.sorted() == [200] + [UInt](repeating: 409, count: 19))
        }
    }
}
