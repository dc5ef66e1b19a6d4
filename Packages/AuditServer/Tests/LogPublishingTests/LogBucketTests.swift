import AuditServerTesting
import EventModelTesting
import Testing

@testable import LogPublishing

@Suite("A bucket of a store of objects")
struct LogBucketTests {
    private static let key = Result { try BucketCredentials(accessKey: "NAME", secret: "s3cret") }

    private func settings(
        _ url: String = "https://s3.example.com",
        _ bucket: String = "our-log",
        prefix: String = "",
        isPathStyle: Bool = true
    ) throws -> LogBucketSettings {
        try LogBucketSettings(
            url: url,
            bucket: bucket,
            prefix: prefix,
            isPathStyle: isPathStyle,
            credentials: Self.key.get()
        )
    }

    private func bucket(_ transport: SampleBucket, prefix: String = "") throws -> LogBucket {
        LogBucket(try settings(prefix: prefix), transport: transport, clock: ManualClock())
    }

    @Test("the bucket is the beginning of the path, or of the host")
    func styles() throws {
        let path = try settings("http://127.0.0.1:9000/", prefix: "logs/ward")
        #expect(path.host == "127.0.0.1:9000" && path.root == "/our-log/" && path.prefix == "logs/ward/")
        let host = try settings("https://s3.eu-central-1.amazonaws.com:443", isPathStyle: false)
        #expect(host.host == "our-log.s3.eu-central-1.amazonaws.com" && host.root == "/" && host.prefix.isEmpty)
        #expect(try settings("http://[::1]:9000").host == "[::1]:9000")
        #expect(try settings(bucket: "a.b.c").root == "/a.b.c/")
    }

    private func settings(bucket: String) throws -> LogBucketSettings { try settings("https://s3.example.com", bucket) }

    @Test(
        "an address that cannot be, would be read by others, or is another one than it looks, is refused",
        arguments: [
            ("http://s3.example.com", "our-log", ""), ("ftp://s3.example.com", "our-log", ""),
            ("https://user:word@s3.example.com", "our-log", ""), ("https://s3.example.com/our-log", "our-log", ""),
            ("https://s3.example.com?x=1", "our-log", ""), ("http://127.0.0.1.example.com", "our-log", ""),
            ("s3.example.com", "our-log", ""), ("https://s3.example.com", "ab", ""),
            ("https://s3.example.com", "Our-Log", ""), ("https://s3.example.com", "our/log", ""),
            ("https://s3.example.com", "our..log", ""), ("https://s3.example.com", "our-log", "/logs"),
            ("https://s3.example.com", "our-log", "logs/"), ("https://s3.example.com", "our-log", "a/../b"),
            ("https://s3.example.com", "our-log", "a b"), ("https://s3.example.com", "our-log", "a&b"),
        ]
    )
    func unusable(_ url: String, _ name: String, _ prefix: String) throws {
        #expect(throws: LogPublishingError.self) { try settings(url, name, prefix: prefix) }
    }

    @Test("what cannot be in a region, a pause, and a name with dots as a host, is refused")
    func others() throws {
        let key = try Self.key.get()
        let url = "https://s3.example.com"
        for (region, seconds) in [("", 10), ("eu central", 10), ("eu/central", 10), ("eu", 0), ("eu", 3601)] {
            #expect(throws: LogPublishingError.self) {
                try LogBucketSettings(url: url, bucket: "our-log", region: region, credentials: key, seconds: seconds)
            }
        }
        #expect(throws: LogPublishingError.self) {
            try LogBucketSettings(url: url, bucket: "our.log", isPathStyle: false, credentials: key)
        }
    }

    @Test(
        "what is there stays, whether the store knows conditions or not",
        arguments: [SampleBucket.Conditions.heeded, .refused]
    )
    func constant(_ conditions: SampleBucket.Conditions) async throws {
        let store = SampleBucket(conditions: conditions)
        let bucket = try bucket(store, prefix: "logs")
        #expect(try await bucket.keep([1], as: "tile/0/000", .constant()))
        #expect(try await bucket.keep([1], as: "tile/0/000", .constant()))
        #expect(try await !bucket.keep([2], as: "tile/0/000", .constant()))
        let object = store.objects["logs/tile/0/000"]
        #expect(object?.bytes == [1] && object?.contentType == "application/octet-stream")
        #expect(object?.cacheControl == "public, max-age=31536000, immutable")
    }

    @Test("a text is put in the place of the one that was read, and of no other")
    func replaced() async throws {
        let store = SampleBucket()
        let bucket = try bucket(store)
        #expect(try await bucket.object("checkpoint", limit: 10) == nil)
        #expect(try await bucket.replace(nil, with: [1], as: "checkpoint", .changing))
        let first = try await bucket.object("checkpoint", limit: 10)
        #expect(try await !bucket.replace(nil, with: [2], as: "checkpoint", .changing))
        #expect(try await bucket.replace(first, with: [2], as: "checkpoint", .changing))
        #expect(try await !bucket.replace(first, with: [3], as: "checkpoint", .changing))
        #expect(store.objects["checkpoint"]?.bytes == [2])
        for conditions in [SampleBucket.Conditions.refused, .ignored] {
            let other = SampleBucket(conditions: conditions)
            let bucket = try self.bucket(other)
            #expect(try await bucket.replace(nil, with: [1], as: "checkpoint", .changing))
            let first = try await bucket.object("checkpoint", limit: 10)
            #expect(try await bucket.replace(first, with: [2], as: "checkpoint", .changing))
            #expect(other.objects["checkpoint"]?.bytes == [2])
        }
    }

    @Test("of a list only the names count that partial tiles have")
    func widths() async throws {
        let store = SampleBucket()
        for name in ["3", "17", "017", "x", "4/5", "-1"] { store.put([], as: "logs/tile/0/000.p/\(name)") }
        store.put([], as: "logs/tile/0/001.p/9")
        let bucket = try bucket(store, prefix: "logs")
        #expect(try await bucket.widths(in: "tile/0/000.p/").sorted() == [-1, 3, 17])
        store.say([OutsideResponse(status: 200, body: Array("<Key>logs/tile/0/000.p/5".utf8))])
        #expect(try await bucket.widths(in: "tile/0/000.p/") == [5])
        store.say([OutsideResponse(status: 200, body: [0xFF, 0x3C, 0x4B])])
        #expect(try await bucket.widths(in: "tile/0/000.p/").isEmpty)
    }

    @Test("an answer that is not what was asked is a sentence with what to do, and no word of the store but its code")
    func refusals() async throws {
        func error(_ code: String) -> [UInt8] {
            Array("<Error><Code>\(code)</Code><Message>s3cret</Message></Error>".utf8)
        }
        let answers: [(OutsideResponse, String)] = [
            (OutsideResponse(status: 403, body: error("SignatureDoesNotMatch")), "does not take the key"),
            (OutsideResponse(status: 403, body: error("AccessDenied")), "(AccessDenied): the key has to be allowed"),
            (OutsideResponse(status: 403, body: error("RequestTimeTooSkewed")), "Set it by NTP"),
            (OutsideResponse(status: 301, body: error("PermanentRedirect")), "logBucket.region"),
            (OutsideResponse(status: 404, body: error("NoSuchBucket")), "make the bucket"),
            (OutsideResponse(status: 307), "may be that of something else"),
            (OutsideResponse(status: 500, body: error("Internal Error")), "status 500: it is tried again"),
            (OutsideResponse(status: 503, body: error("SlowDown")), "(SlowDown): it is tried again"),
            (OutsideResponse(status: 200 + 4), "status 204"),
        ]
        let store = SampleBucket()
        let bucket = try bucket(store)
        for (answer, words) in answers {
            store.say([answer])
            let failure = await #expect(throws: LogBucket.Failure.self) {
                try await bucket.object("checkpoint", limit: 10)
            }
            let text = failure?.concern.description ?? ""
            #expect(text.contains(words) && !text.contains("s3cret"), "\(words): \(text)")
            #expect(failure?.concern.isContradiction == false)
        }
    }
}
