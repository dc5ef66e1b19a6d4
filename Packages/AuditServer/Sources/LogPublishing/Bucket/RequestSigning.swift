import Crypto
import EventModel

/// Signs requests as stores of objects want it that speak S3: Signature Version 4 of AWS, in a header, over all of the body.
///
/// ```swift
/// let signed = RequestSigning(credentials, region: "eu-central-1").signed(request, at: clock.now().wall)
/// ```
struct RequestSigning: Sendable {
    private static let algorithm = "AWS4-HMAC-SHA256"

    private let credentials: BucketCredentials
    private let region: String

    /// Keeps a key.
    init(_ credentials: BucketCredentials, region: String) {
        self.credentials = credentials
        self.region = region
    }

    /// Returns a request with its time, the hash of its body, and the signature over these and everything else that it says.
    ///
    /// - Parameters:
    ///   - request: What is asked; all of its headers are signed.
    ///   - instant: The time; stores refuse what is more than a quarter of an hour off.
    /// - Returns: The same request, with more headers.
    func signed(_ request: BucketRequest, at instant: EventInstant) -> BucketRequest {
        // 2013-05-24T00:00:00.000000Z is written as 20130524T000000Z.
        let time = instant.description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
        let scope = "\(time.prefix(8))/\(region)/s3/aws4_request"
        let hash = Self.text(SHA256.hash(data: request.body))
        var signed = request
        signed.headers.append(.init("host", request.host))
        signed.headers.append(.init("x-amz-content-sha256", hash))
        signed.headers.append(.init("x-amz-date", time))
        if let token = credentials.sessionToken { signed.headers.append(.init("x-amz-security-token", token)) }

        let headers = signed.headers.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let names = headers.map(\.name).joined(separator: ";")
        let canonical = [
            request.method.rawValue, request.encodedPath, request.encodedQuery,
            headers.map { "\($0.name):\($0.value)\n" }.joined(), names, hash,
        ]
        .joined(separator: "\n")
        let text = [Self.algorithm, time, scope, Self.text(SHA256.hash(data: Array(canonical.utf8)))]
            .joined(separator: "\n")
        let signature = Self.text(Self.code(text, key: key(on: String(time.prefix(8)))))
        signed.headers.append(
            .init(
                "authorization",
                "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
            )
        )
        return signed
    }

    /// The key of a day, for this region.
    private func key(on day: String) -> SymmetricKey {
        var key = SymmetricKey(data: Array("AWS4\(credentials.secret)".utf8))
        for part in [day, region, "s3", "aws4_request"] { key = SymmetricKey(data: Self.code(part, key: key)) }
        return key
    }

    private static func code(_ text: String, key: SymmetricKey) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String { Hexadecimal.text(Array(bytes)) }
}
