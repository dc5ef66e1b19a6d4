/// Sends one HTTP request; the one way in which this module reaches a network.
///
/// Safe to call from any task, several calls at once. An implementation follows no redirects, keeps no cookies and
/// caches nothing.
public protocol HTTPClient: Sendable {
    /// Sends a request and returns the answer, whatever its status.
    ///
    /// - Throws: Any error when there is no answer, `CancellationError` when the task was cancelled. Its text reaches
    ///   logs, so it must hold neither headers nor the address.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// An HTTP request with its whole body.
public struct HTTPRequest: Sendable, Hashable {
    /// The methods that the protocol uses.
    public enum Method: String, Sendable, Hashable {
        /// Reads.
        case get = "GET"
        /// Sends a body.
        case post = "POST"
        /// Removes.
        case delete = "DELETE"
    }

    /// The method.
    public let method: Method
    /// The absolute address, percent-encoded.
    public let url: String
    /// The header fields by lower-case name.
    public let headers: [String: String]
    /// The body; empty for none.
    public let body: [UInt8]
    /// How long the request may make no progress; nil leaves that to the client.
    public let timeout: Duration?
    /// How many bytes the answer may have; nil leaves that to the client.
    public let maximumAnswerBytes: Int?
    /// Whether the server may keep it waiting until it has something to say; others must not have to wait behind it.
    public let isKeptWaiting: Bool

    /// Creates a request.
    public init(
        method: Method,
        url: String,
        headers: [String: String] = [:],
        body: [UInt8] = [],
        timeout: Duration? = nil,
        maximumAnswerBytes: Int? = nil,
        isKeptWaiting: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumAnswerBytes = maximumAnswerBytes
        self.isKeptWaiting = isKeptWaiting
    }

    /// Returns the request with a header more.
    package func adding(_ value: String, for name: String) -> HTTPRequest {
        var headers = headers
        headers[name] = value
        return HTTPRequest(
            method: method,
            url: url,
            headers: headers,
            body: body,
            timeout: timeout,
            maximumAnswerBytes: maximumAnswerBytes,
            isKeptWaiting: isKeptWaiting
        )
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the size; never headers, body or address, which hold secrets and user data.
    public var description: String { "\(method.rawValue) with \(body.count) bytes" }

    /// The same as the description.
    public var debugDescription: String { description }

    /// A mirror without children, so that a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An HTTP answer with its whole body.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code.
    public let status: Int
    /// The header fields by lower-case name.
    public let headers: [String: String]
    /// The body.
    public let body: [UInt8]

    /// Creates an answer; header names are made lower-case.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
        self.body = body
    }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the size; never the body, which may hold tokens.
    public var description: String { "\(status) with \(body.count) bytes" }

    /// The same as the description.
    public var debugDescription: String { description }

    /// A mirror without children, so that a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
