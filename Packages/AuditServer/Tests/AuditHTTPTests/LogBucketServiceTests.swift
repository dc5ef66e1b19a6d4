import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditHTTP
@testable import LogPublishing

@Suite("A server whose log is copied into a bucket", .timeLimit(.minutes(5)))
struct LogBucketServiceTests {
    private let place: TestFolder

    init() throws { place = try TestFolder.made() }

    private struct Ready: Decodable { let warnings: [String]? }

    private func settings(_ url: String, key: String = "NAME", secret: String = "s3cret") throws -> LogBucketSettings {
        try LogBucketSettings(
            url: url,
            bucket: "our-log",
            prefix: "logs/ward",
            credentials: BucketCredentials(accessKey: key, secret: secret),
            seconds: 1,
            copiesEntries: true
        )
    }

    private func server(_ bucket: LogBucketSettings) async throws -> TestServer {
        var configuration = ServerConfiguration(limits: .forPolling)
        configuration.logOrigin = "example.com/daybook"
        configuration.logBucket = bucket
        let server = try await TestServer(configuration: configuration)
            .publishing(LogFolder(at: place.file("log"), in: POSIXFileSystem()))
        try await server.store.acceptSealed(1...3)
        return server
    }

    /// Runs a server, and expects that the bucket gets every file that it serves, as the log grows beyond a full tile.
    private func expectCopied(
        _ settings: LogBucketSettings,
        _ read: @escaping @Sendable (String) async throws -> [UInt8]?
    ) async throws {
        let server = try await server(settings)
        let auditor = try await server.headers(.auditor)
        let reader = CopyReader(key: try server.key.logSigner(origin: "example.com/daybook").verifierKey)
        try await server.run(.live) { client async throws in
            for size: UInt64 in [3, 300] {
                if size > 3 { try await server.store.acceptSealed(4...UInt32(size)) }
                var found: UInt64?
                while found != size {
                    found = try await read("checkpoint").map { try SignedCheckpoint($0).checkpoint.size }
                    // The service has its turn meanwhile.
                    _ = try await client.get("/health")
                }
                var copy: [String: [UInt8]] = [:]  // TEXT: names of ours, in ASCII.
                for name in ["checkpoint"] + Tile.growth(from: 0, to: size).map(\.path) {
                    let served = try await client.get("/log/\(name)", as: auditor)
                    #expect(served.status == .ok)
                    let bytes = try await read(name)
                    #expect(bytes == Array(served.body.readableBytesView), "\(name)")
                    copy[name] = bytes
                }
                if CopyReader.isThere {
                    let isGood = try reader.verifies(copy, in: place.file("copy \(size)"))
                    #expect(isGood)
                }
            }
            let ready = try await client.get("/ready").decoded(Ready.self)
            #expect(ready.warnings == nil)
        }
    }

    @Test(
        "every file that it serves is in the bucket byte for byte, and whoever has the key of the log alone reads it there"
    )
    func copied() async throws {
        let bucket = SampleBucket()
        try await bucket.serving { url in
            try await expectCopied(settings(url)) { bucket.objects["logs/ward/\($0)"]?.bytes }
        }
        let object = bucket.objects["logs/ward/tile/0/000"]
        #expect(object?.contentType == "application/octet-stream")
        #expect(object?.cacheControl == "public, max-age=31536000, immutable")
    }

    @Test("a bucket that is away is a warning, and nothing waits for it")
    func away() async throws {
        let server = try await server(settings("http://127.0.0.1:1"))
        let owner = try await server.headers(.uploader(SampleDevice.owner))
        try await server.run(.live) { client async throws in
            var ready = try await client.get("/ready").decoded(Ready.self)
            while ready.warnings == nil { ready = try await client.get("/ready").decoded(Ready.self) }
            #expect(
                ready.warnings == ["The bucket of the log does not answer: Connection refused. It is tried again."]
            )
            var device = SampleDevice(9)
            device.record(["a"])
            #expect(try await client.upload(device.stretch(1...1), as: owner).status == .ok)
            #expect(try await client.get("/log/checkpoint").status == .ok)
        }
    }
}
