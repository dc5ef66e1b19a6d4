/// A request to a store of objects, as it goes out.
public struct BucketRequest: Sendable, Hashable {
    /// What is done.
    public enum Method: String, Sendable {
        /// Reads an object, or lists some.
        case get = "GET"
        /// Stores an object.
        case put = "PUT"
        /// Removes an object.
        case delete = "DELETE"
    }

    /// A name with its value, in the header or the query.
    public struct Field: Sendable, Hashable {
        /// The name; those of headers in small letters.
        public let name: String
        /// The value.
        public let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What is done.
    public let method: Method
    /// `http` or `https`.
    let scheme: String
    /// The host as its header has it, with the port where it is not the usual one.
    let host: String
    /// The path with its slash in front, as it is meant.
    let path: String
    /// The query as it is meant.
    let query: [Field]
    /// All headers but those of the connection.
    public internal(set) var headers: [Field]
    /// The body; none for most.
    public let body: [UInt8]

    init(
        _ method: Method,
        scheme: String = "https",
        host: String,
        path: String,
        query: [Field] = [],
        headers: [Field] = [],
        body: [UInt8] = []
    ) {
        self.method = method
        self.scheme = scheme
        self.host = host
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The whole address, with everything percent-encoded as the signature has it.
    public var url: String {
        let query = encodedQuery
        return "\(scheme)://\(host)\(encodedPath)\(query.isEmpty ? "" : "?\(query)")"
    }

    /// The path in the form in which it is signed.
    var encodedPath: String { Self.encoded(path, keepingSlashes: true) }

    /// The query in the form in which it is signed: in the order of its names.
    var encodedQuery: String {
        query.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            .map { "\(Self.encoded($0.name, keepingSlashes: false))=\(Self.encoded($0.value, keepingSlashes: false))" }
            .joined(separator: "&")
    }

    /// Encodes everything but letters and digits of ASCII and `-._~`.
    private static func encoded(_ text: String, keepingSlashes: Bool) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            case UInt8(ascii: "/") where keepingSlashes:
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                for digit in [byte >> 4, byte & 15] {
                    bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Brings a request to a store of objects; the one way there.
public protocol BucketTransport: Sendable {
    /// Sends a request, and returns what is answered.
    ///
    /// - Parameters:
    ///   - request: The request, with all of its headers.
    ///   - limit: How many bytes of an answer are read; an answer with more is an error.
    /// - Returns: The answer, whatever its status.
    /// - Throws: When there is no whole answer within a bounded time. What is thrown describes itself in a few words.
    func exchange(_ request: BucketRequest, limit: Int) async throws -> OutsideResponse
}
