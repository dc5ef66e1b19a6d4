import EventModel
import Testing

@testable import LogPublishing

/// The examples that AWS publishes under "Signature Calculations for the Authorization Header".
@Suite("Signing requests to stores of objects")
struct RequestSigningTests {
    private static let host = "examplebucket.s3.amazonaws.com"

    private func signature(of request: BucketRequest) throws -> String? {
        let credentials = try BucketCredentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE",
            secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        )
        let instant = try #require(EventInstant("2013-05-24T00:00:00Z"))
        let signed = RequestSigning(credentials, region: "us-east-1").signed(request, at: instant)
        let value = signed.headers.first { $0.name == "authorization" }?.value
        let start = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders="
        #expect(value?.hasPrefix(start) == true)
        return value?.split(separator: "Signature=").last.map { String($0) }
    }

    @Test("an object is read")
    func get() throws {
        let request = BucketRequest(
            .get,
            host: Self.host,
            path: "/test.txt",
            headers: [.init("range", "bytes=0-9")]
        )
        let expected = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        #expect(try signature(of: request) == expected)
    }

    @Test("an object is put, whose name has a sign that is encoded")
    func put() throws {
        let request = BucketRequest(
            .put,
            host: Self.host,
            path: "/test$file.text",
            headers: [
                .init("date", "Fri, 24 May 2013 00:00:00 GMT"), .init("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ],
            body: Array("Welcome to Amazon S3.".utf8)
        )
        let expected = "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        #expect(try signature(of: request) == expected)
        #expect(request.url == "https://examplebucket.s3.amazonaws.com/test%24file.text")
    }

    @Test("a setting of a bucket is read, and objects are listed")
    func queries() throws {
        let lifecycle = BucketRequest(.get, host: Self.host, path: "/", query: [.init("lifecycle", "")])
        let first = "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
        #expect(try signature(of: lifecycle) == first)
        let list = BucketRequest(
            .get,
            host: Self.host,
            path: "/",
            query: [.init("prefix", "J"), .init("max-keys", "2")]
        )
        let second = "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        #expect(try signature(of: list) == second)
    }

    @Test("a key of some hours brings its token, which is signed as well, and no text has what is secret")
    func token() throws {
        let credentials = try BucketCredentials(accessKey: "NAME", secret: "s3cret", sessionToken: "t0ken")
        let request = BucketRequest(.get, host: "localhost:9000", path: "/b/tile/8/entries/x001/067.p/8")
        let signed = RequestSigning(credentials, region: "eu-central-1")
            .signed(request, at: EventInstant(microseconds: 1_700_000_000_999_999))
        #expect(signed.headers.contains(.init("x-amz-security-token", "t0ken")))
        #expect(signed.headers.contains(.init("x-amz-date", "20231114T221320Z")))
        let names = "host;x-amz-content-sha256;x-amz-date;x-amz-security-token"
        #expect(signed.headers.last?.value.contains("SignedHeaders=\(names),") == true)
        #expect(signed.url == "https://localhost:9000/b/tile/8/entries/x001/067.p/8")

        var dumped = ""
        dump(credentials, to: &dumped)
        for text in [dumped, "\(credentials)", String(reflecting: credentials), "\(signed)"] {
            #expect(!text.contains("s3cret"), "\(text)")
        }
        let settings = try LogBucketSettings(url: "https://s3.example.com", bucket: "our-log", credentials: credentials)
        dump(settings, to: &dumped)
        #expect(!dumped.contains("s3cret") && !dumped.contains("t0ken"))
        #expect(!"\(settings)".contains("s3cret") && !"\(settings)".contains("t0ken"))
    }

    @Test(
        "a key that is no word is refused, and what is refused is not said",
        arguments: [("", "b"), ("a", ""), ("a b", "c"), ("a", "b\n"), ("ä", "b"), ("a", "\u{7F}")]
    )
    func words(_ name: String, _ secret: String) throws {
        #expect(
            throws: LogPublishingError.unusableBucket(
                reason: "its key is two words, and a third one for a key of some hours"
            )
        ) {
            try BucketCredentials(accessKey: name, secret: secret)
        }
    }
}
