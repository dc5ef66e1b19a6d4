import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import HTTPTypes
import HummingbirdTesting
import LogPublishing
import NIOCore
import Testing

@Suite("The published log over HTTP", .timeLimit(.minutes(5)))
struct PublishedLogRoutesTests {
    private let place: TestFolder

    init() throws { place = try TestFolder.made() }

    /// A server that has sealed some partitions and published them once.
    private func server(_ count: UInt32, origin: String? = nil) async throws -> TestServer {
        var configuration = ServerConfiguration(limits: .forPolling)
        configuration.logOrigin = origin
        let server = try await TestServer(configuration: configuration)
            .publishing(LogFolder(at: place.file("log"), in: POSIXFileSystem()))
        try await server.store.acceptSealed(1...count)
        return server
    }

    /// A reader that has nothing but a server's address and the key of its log.
    private struct Remote: TileStorage {
        let files: [String: [UInt8]]

        func bytes(of tile: Tile, limit: Int) throws -> [UInt8]? { files[tile.path] }
        func put(_ bytes: [UInt8], for tile: Tile) throws {}
        func checkpoint(limit: Int) throws -> [UInt8]? { files["checkpoint"] }
        func putCheckpoint(_ bytes: [UInt8]) throws {}
    }

    private func checkpoint(_ client: any TestClientProtocol, of size: UInt64) async throws -> TestResponse {
        // The first run is under way when the server answers for the first time.
        var response = try await client.get("/log/checkpoint")
        while response.status == .notFound { response = try await client.get("/log/checkpoint") }
        let signed = try SignedCheckpoint(Array(response.body.readableBytesView))
        #expect(signed.checkpoint.size == size)
        return response
    }

    @Test("a mirror checks every entry with the log's key alone")
    func mirror() async throws {
        let server = try await server(300, origin: "log.example.com/daybook")
        let auditor = try await server.headers(.auditor)

        try await server.run(.live) { client async throws in
            let answered = try await checkpoint(client, of: 300)
            #expect(answered.headers[.contentType] == "text/plain; charset=utf-8")
            struct Key: Decodable { let logKey: String }
            let key = try await client.get("/api/v1/key").decoded(Key.self)
            let policy = try WitnessPolicy(logKeys: [NoteVerifierKey(parsing: key.logKey)])
            let bytes = Array(answered.body.readableBytesView)
            let checkpoint = try policy.verify(SignedCheckpoint(bytes)).checkpoint
            #expect(checkpoint.origin == "log.example.com/daybook")

            var files: [String: [UInt8]] = ["checkpoint": bytes]
            for path in [
                "tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1", "tile/entries/000", "tile/entries/001.p/44",
            ] {
                let isOfEntries = path.contains("entries")
                let response = try await client.get("/log/\(path)", as: isOfEntries ? auditor : [:])
                #expect(response.status == .ok, "\(path)")
                let cache = isOfEntries ? "private" : "public"
                #expect(response.headers[.cacheControl] == "\(cache), max-age=31536000, immutable")
                files[path] = Array(response.body.readableBytesView)
            }
            var reader = try TileReader(Remote(files: files), checkpoint: checkpoint)
            let entries = try (0..<300).map { try Array(reader.entry(at: $0)) }
            let expected = try await server.store.logEntries(from: 0, limit: 300).map(\.canonicalBytes)
            #expect(entries == expected)
        }
    }

    @Test("a server whose database was put back serves on what was published, also from its start on")
    func putBack() async throws {
        let server = try await server(5)
        try await server.run(.live) { client async throws in _ = try await checkpoint(client, of: 5) }

        let older = try await TestServer(configuration: ServerConfiguration(limits: .forPolling))
            .publishing(LogFolder(at: place.file("log"), in: POSIXFileSystem()))
        try await older.store.acceptSealed(1...3)
        try await older.run(.live) { client async throws in
            _ = try await checkpoint(client, of: 5)
            #expect(try await client.get("/log/tile/0/000.p/5").status == .ok)
        }
    }

    @Test("what is not a file of the log is not there, whatever its path says")
    func otherPaths() async throws {
        let server = try await server(3)
        let auditor = try await server.headers(.auditor)
        try POSIXFileSystem().replaceFile(at: place.file("secret"), with: [1])

        try await server.run(.live) { client async throws in
            _ = try await checkpoint(client, of: 3)
            for path in [
                "tile/0/000", "tile/0/000.p/4", "tile/0/000.p/2.", "tile/0/0", "tile/0/001", "tile/1/000.p/1",
                "tile/63/000",
                "tile/64/000", "tile/0/x000/000", "tile/0/..%2F..%2F..%2Fsecret", "tile/0/%2E%2E/%2E%2E/secret",
                "tile/-1/000",
                "tile/entries/000", "tile/entries/000.p/4", "tile/entries/..%2F..%2F..%2Fsecret", "tile/data/000",
                "tile/0/x184/x467/440/737", "tile/0/x999/x999/x999/999",
            ] {
                let response = try await client.get("/log/\(path)", as: auditor)
                #expect(response.status == .notFound, "\(path)")
            }
            // What a smaller checkpoint needed is still what it was.
            #expect(try await client.get("/log/tile/0/000.p/3").status == .ok)
        }
    }

    @Test("entries are for those from whom nothing is withheld, and hashes for everybody")
    func access() async throws {
        let server = try await server(2)
        let user = try await server.headers(.uploader(SampleDevice.owner))
        let auditor = try await server.headers(.auditor)

        try await server.run(.live) { client async throws in
            _ = try await checkpoint(client, of: 2)
            let path = "/log/tile/entries/000.p/2"
            #expect(try await client.get(path).status == .unauthorized)
            #expect(try await client.get(path, as: user).status == .forbidden)
            #expect(try await client.get(path, as: auditor).status == .ok)
            #expect(try await client.get("/log/tile/0/000.p/2").status == .ok)
        }
    }

    @Test("a server that ends publishes what was sealed last")
    func end() async throws {
        let server = try await server(1)
        try await server.run(.live) { client async throws in
            _ = try await checkpoint(client, of: 1)
            var device = SampleDevice(2)
            device.record(["a"])
            _ = try await server.store.accept(device.upload(1...1, seal: device.seal()))
        }

        let folder = TileFolder(at: place.file("log"), in: POSIXFileSystem())
        let bytes = try #require(try folder.checkpoint(limit: SignedNote.maximumBytes))
        #expect(try SignedCheckpoint(bytes).checkpoint.size == 2)
    }

    @Test("a server without a folder publishes nothing")
    func unpublished() async throws {
        let server = try await TestServer()
        try await server.run { client async throws in
            #expect(try await client.get("/log/checkpoint").status == .notFound)
            #expect(try await client.get("/log/tile/0/000.p/1").status == .notFound)
        }
    }
}
