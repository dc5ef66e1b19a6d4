import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The live client: a URL session of its own that keeps nothing and follows no redirect.
///
/// A redirect would carry the bearer token to an address that nobody configured, so it is returned as the answer.
public final class URLSessionHTTPClient: HTTPClient {
    /// Thrown when there is no answer.
    public struct Failure: Error, CustomStringConvertible {
        /// The code of the URL error; -1004, for example, is "cannot connect".
        public let code: Int

        /// The code in a sentence; the system's own text may name the address.
        public var description: String { "The connection failed with URL error \(code)." }
    }

    private let session: URLSession
    private let exchanges: URLSessionExchanges

    /// Creates a client.
    ///
    /// - Parameter timeout: How long a request may make no progress; 60 seconds by default.
    public init(timeout: Duration = .seconds(60)) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout / .seconds(1)
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 8
        exchanges = URLSessionExchanges()
        // The session's own delegate, because FoundationNetworking asks no other one about redirects.
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends a request; cancelling the task cancels it.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let url = URL(string: request.url) else { throw Failure(code: URLError.badURL.rawValue) }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = request.method.rawValue
        for (name, value) in request.headers {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        if request.method == .post { urlRequest.httpBody = Data(request.body) }
        let task = session.dataTask(with: urlRequest)
        do {
            let (answer, body) = try await exchanges.perform(task)
            return HTTPResponse(status: answer.statusCode, headers: Self.headers(answer), body: body)
        } catch let error as URLError {
            throw Failure(code: error.code.rawValue)
        }
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
