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

    // MARK: A store that others wrote

    @Test(
        "a store that others wrote takes the whole log with the rights that are asked for, and checks each signature",
        .enabled(if: SampleStore.isThere, "moto is not there; Tools/test fetches it")
    )
    func others() async throws {
        try POSIXFileSystem().makeDirectory(place.file("store"))
        let store = try SampleStore(in: place.file("store"))
        let settings = try settings(store.url, key: store.accessKey, secret: store.secret)
        let bucket = LogBucket(settings, transport: OutsideClient(), clock: SystemClock())
        try await expectCopied(settings) { try await bucket.object($0, limit: 20_000_000)?.bytes }
        withExtendedLifetime(store) {}
    }

    @Test(
        "a store that others wrote keeps what is there, and says what is wrong with a key",
        .enabled(if: SampleStore.isThere, "moto is not there; Tools/test fetches it")
    )
    func conditions() async throws {
        try POSIXFileSystem().makeDirectory(place.file("store"))
        let store = try SampleStore(in: place.file("store"))
        let settings = try settings(store.url, key: store.accessKey, secret: store.secret)
        let bucket = LogBucket(settings, transport: OutsideClient(), clock: SystemClock())
        #expect(try await bucket.keep([1], as: "tile/8/entries/x001/067.p/8", .constant()))
        #expect(try await bucket.keep([1], as: "tile/8/entries/x001/067.p/8", .constant()))
        #expect(try await !bucket.keep([2], as: "tile/8/entries/x001/067.p/8", .constant()))
        #expect(try await bucket.keep([1], as: "tile/8/entries/x001/067.p/17", .constant()))
        #expect(try await bucket.widths(in: "tile/8/entries/x001/067.p/").sorted() == [8, 17])
        try await bucket.remove("tile/8/entries/x001/067.p/8")
        try await bucket.remove("tile/8/entries/x001/067.p/8")
        #expect(try await bucket.widths(in: "tile/8/entries/x001/067.p/") == [17])

        #expect(try await bucket.object("checkpoint", limit: 10) == nil)
        #expect(try await bucket.replace(nil, with: [1], as: "checkpoint", .changing))
        let first = try await bucket.object("checkpoint", limit: 10)
        #expect(first?.bytes == [1] && first?.tag != nil)
        #expect(try await bucket.replace(first, with: [2], as: "checkpoint", .changing))
        #expect(try await !bucket.replace(first, with: [3], as: "checkpoint", .changing))
        #expect(try await !bucket.replace(nil, with: [3], as: "checkpoint", .changing))
        #expect(try await bucket.object("checkpoint", limit: 10)?.bytes == [2])

        let wrong = try self.settings(store.url, key: store.accessKey, secret: "another")
        let failure = await #expect(throws: LogBucket.Failure.self) {
            try await LogBucket(wrong, transport: OutsideClient(), clock: SystemClock())
                .replace(nil, with: [3], as: "checkpoint", .changing)
        }
        #expect(failure?.concern == .refused(status: 403, code: "SignatureDoesNotMatch"))
        withExtendedLifetime(store) {}
    }
}
