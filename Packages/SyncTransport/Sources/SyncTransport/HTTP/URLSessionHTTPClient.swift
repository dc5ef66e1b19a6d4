import EventModel
public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The live client: URL sessions of its own that keep nothing and follow no redirect.
///
/// Requests that the server keeps waiting have a session for themselves. A session has few connections to a server, and those who wait
/// for news of eight realms would otherwise hold all of them, and let whoever has something to say wait, too.
///
/// A redirect would carry the bearer token to an address that nobody configured, so it is returned as the answer.
public final class URLSessionHTTPClient: HTTPClient {
    /// Thrown when there is no answer, or none that is taken.
    public struct Failure: Error, CustomStringConvertible {
        /// The code of the URL error; -1004, for example, is "cannot connect".
        public let code: Int
        /// What happened and what to do, or which bound was met; no address.
        public let description: String

        init(_ error: URLError) {
            code = error.code.rawValue
            description = error.words
        }

        private init(_ code: URLError.Code, _ description: String) {
            self.code = code.rawValue
            self.description = description
        }

        static func answerTooLong(limit: Int) -> Failure {
            Failure(.dataLengthExceedsMaximum, "The answer is longer than \(limit) bytes.")
        }

        static func tooSlow(limit: Duration) -> Failure {
            Failure(.timedOut, "The answer was not there as a whole after \(limit).")
        }
    }

    /// How many requests are sent at once to one server.
    private static let connections = 8
    /// How many more of them the server may keep waiting, each of which is an open file.
    private static let waitingConnections = 128

    private let session: (speaking: URLSession, waiting: URLSession)
    private let exchanges: (speaking: URLSessionExchanges, waiting: URLSessionExchanges)
    private let timeout: Duration
    private let limits: AnswerLimits

    /// Creates a client.
    ///
    /// An answer of more than 256 KiB is given up, unless its request allows more, and so is one that takes longer than 30 seconds from the first byte of its
    /// body, or than its request's body would at 4 KiB a second.
    ///
    /// - Parameter timeout: How long a request may make no progress; 60 seconds by default.
    public convenience init(timeout: Duration = .seconds(60)) {
        // LIVE: the timer of the machine.
        self.init(timeout: timeout, limits: AnswerLimits(), timer: SystemTimer())
    }

    init(timeout: Duration, limits: AnswerLimits, timer: any EventTimer) {
        self.timeout = timeout
        self.limits = limits
        exchanges = (URLSessionExchanges(timer: timer), URLSessionExchanges(timer: timer))
        session = (
            Self.session(Self.connections, timeout, exchanges.speaking),
            Self.session(Self.waitingConnections, timeout, exchanges.waiting)
        )
    }

    private static func session(_ connections: Int, _ timeout: Duration, _ exchanges: URLSessionExchanges) -> URLSession
    {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout / .seconds(1)
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = connections
        // The session's own delegate, because FoundationNetworking asks no other one about redirects.
        return URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        session.speaking.finishTasksAndInvalidate()
        session.waiting.finishTasksAndInvalidate()
    }

    /// Sends a request; cancelling the task cancels it.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let url = URL(string: request.url) else { throw Failure(URLError(.badURL)) }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = request.method.rawValue
        if let timeout = request.timeout { urlRequest.timeoutInterval = timeout / .seconds(1) }
        for (name, value) in request.headers {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        if request.method == .post { urlRequest.httpBody = Data(request.body) }
        let limits = limits.allowing(request.maximumAnswerBytes)
        let duration = limits.duration(sending: request.body.count, timeout: request.timeout ?? timeout)
        let (session, exchanges) =
            request.isKeptWaiting ? (session.waiting, exchanges.waiting) : (session.speaking, exchanges.speaking)
        let (answer, body) = try await exchanges.perform(session.dataTask(with: urlRequest), within: duration, limits)
        return HTTPResponse(status: answer.statusCode, headers: Self.headers(answer), body: body)
    }

    private static func headers(_ response: HTTPURLResponse) -> [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            headers[name] = value
        }
        return headers
    }
}

extension URLSessionHTTPClient.Failure: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
