public import EventModel
public import SyncTransport
import Synchronization

/// A client that answers from a closure and records what it was asked.
public final class ScriptedHTTPClient: HTTPClient {
    /// Answers a request; what it throws counts as "no answer".
    public typealias Handler = @Sendable (HTTPRequest) async throws -> HTTPResponse

    /// Thrown where a script wants no answer.
    public struct NoAnswer: Error, CustomStringConvertible {
        /// A short text.
        public let description = "no answer"

        /// Creates the error.
        public init() {}
    }

    private let handler: Handler
    private let recorded = Mutex<[HTTPRequest]>([])

    /// Creates a client that answers from a closure.
    public init(_ handler: @escaping Handler) {
        self.handler = handler
    }

    /// Creates a client that gives these answers in turn, and no answer after them.
    public convenience init(answers: [HTTPResponse]) {
        let left = Answers(answers)
        self.init { _ in
            guard let answer = left.next() else { throw NoAnswer() }
            return answer
        }
    }

    /// The requests, in order of arrival.
    public var requests: [HTTPRequest] { recorded.withLock { $0 } }

    /// Records the request and answers it.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        recorded.withLock { $0.append(request) }
        return try await handler(request)
    }
}

private final class Answers: Sendable {
    private let left: Mutex<[HTTPResponse]>

    init(_ answers: [HTTPResponse]) {
        left = Mutex(answers.reversed())
    }

    func next() -> HTTPResponse? {
        left.withLock { $0.popLast() }
    }
}

extension HTTPResponse {
    /// An answer with JSON text.
    public static func json(_ status: Int, _ text: String, headers: [String: String] = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Array(text.utf8))
    }

    /// A refusal in the server's own words.
    public static func refusal(_ status: Int, _ code: TransportError.Code) -> HTTPResponse {
        json(status, #"{"code":"\#(code)","message":"A sentence."}"#)
    }

    /// The answer to a log-in or a refresh.
    public static func session(user: String, access: String, refresh: String) -> HTTPResponse {
        json(
            200,
            """
            {"userID":"\(user)","accessToken":"\(access)","refreshToken":"\(refresh)","expiresInSeconds":1800}
            """
        )
    }
}
