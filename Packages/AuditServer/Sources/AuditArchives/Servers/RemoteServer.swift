import AuditModel
package import AuditVerifying
package import EventModel
import EventProofs
package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A server that a command asks over HTTP, with a token.
package struct RemoteServer {
    private let server: URL
    package let token: String
    private let session: URLSession

    private struct Refusal: Decodable {
        let message: String
    }

    /// How long a server may say nothing, in seconds: an erasure of very many events answers when it is done.
    private static let patienceSeconds = 300.0

    /// A session that keeps nothing and is patient.
    package static var session: URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = patienceSeconds
        return URLSession(configuration: configuration)
    }

    /// Names a server, which may say nothing for 300 seconds.
    ///
    /// - Throws: ``CommandError/malformedServer(_:)`` when the text is no address of one.
    package init(_ text: String, token: String, session: URLSession = Self.session) throws {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil else {
            throw CommandError.malformedServer(text)
        }
        server = url
        self.token = token
        self.session = session
    }

    /// Asks for something below `/api/v1`.
    ///
    /// - Returns: The body, and the cursor of the next page.
    /// - Throws: ``CommandError``.
    package func get(_ path: String, _ query: [ExactText: String] = [:]) async throws -> (body: Data, next: String?) {
        let answer = try await answer("GET", path, query)
        return (answer.body, answer.header(EventCursor.header))
    }

    /// What `GET /api/v1/key` answers.
    private struct PublicKeys: Decodable {
        let publicKey: String
        let earlierKeys: [String]?
        let trailKey: String?
        let exportKey: String?
        let successions: [String]?
    }

    /// Asks for the keys that seal the auditors' trail; nil when the server does not say, as one of an earlier version.
    ///
    /// - Throws: ``CommandError``; `ProofError` when what the server states of its keys is not to be believed.
    package func trailKeys() async throws -> TrailKeys? {
        let keys = try decode(PublicKeys.self, from: try await get("key").body)
        guard let present = keys.trailKey.flatMap({ Hexadecimal.bytes($0) }) else { return nil }
        return TrailKeys(present: present, history: try KeyHistory(texts: keys.successions ?? []))
    }

    /// Asks for the public keys that the server signs with: the one of now, and then those that did so before it.
    ///
    /// - Throws: ``CommandError``.
    package func publicKeys() async throws -> [[UInt8]] {
        let keys = try decode(PublicKeys.self, from: try await get("key").body)
        return try ([keys.publicKey] + (keys.earlierKeys ?? []))
            .map { text in
                guard let key = Hexadecimal.bytes(text) else { throw malformedAnswer }
                return key
            }
    }

    /// Asks for the keys that exports of now are verified with.
    ///
    /// - Returns: The key of exports, nil of an earlier version, whose exports the key of receipts signs; and that one.
    /// - Throws: ``CommandError``, also when what the server states of its keys names another key of exports; `ProofError` when that is not to
    ///   be believed.
    package func exportKeys() async throws -> (exports: [UInt8]?, receipts: [UInt8]) {
        let keys = try decode(PublicKeys.self, from: try await get("key").body)
        guard let receipts = Hexadecimal.bytes(keys.publicKey) else { throw malformedAnswer }
        let stated = try KeyHistory(texts: keys.successions ?? []).present
        guard let text = keys.exportKey else {
            guard stated?.exports == nil else { throw malformedAnswer }
            return (nil, receipts)
        }
        guard let exports = Hexadecimal.bytes(text), exports != receipts else { throw malformedAnswer }
        if let stated, stated.receipts == receipts, let named = stated.exports, named != exports {
            throw malformedAnswer
        }
        return (exports, receipts)
    }

    /// Reads a listing, page after page until a page says that it is the last.
    ///
    /// - Throws: ``CommandError``.
    package func list<T: Decodable>(_ type: T.Type, _ path: String) async throws -> [T] {
        var items: [T] = []
        var query: [ExactText: String] = [:]
        repeat {
            let (page, next) = try await get(path, query)
            items += try decode([T].self, from: page)
            query["after"] = next
        } while query["after"] != nil
        return items
    }

    /// Has the server change something.
    ///
    /// - Returns: The body of the answer.
    /// - Throws: ``CommandError``.
    @discardableResult
    package func change(
        _ method: String,
        _ path: String,
        _ body: (any Encodable)? = nil,
        query: [ExactText: String] = [:]
    ) async throws -> Data {
        try await answer(method, path, query, body.map { try JSONEncoder().encode($0) }).body
    }

    /// Fetches a part of a file below `/api/v1`.
    ///
    /// - Throws: ``CommandError``, also when the answer is no part of that size.
    package func part(_ range: Range<UInt64>, of path: String) async throws -> Data {
        let header = ["Range": "bytes=\(range.lowerBound)-\(range.upperBound - 1)"]
        let data = try await answer("GET", path, headers: header).body
        guard UInt64(data.count) == UInt64(range.count) else {
            throw CommandError.malformedAnswer(server: server.absoluteString)
        }
        return data
    }

    /// Reads an answer.
    ///
    /// - Throws: ``CommandError/malformedAnswer(server:)`` when it is something else.
    package func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw malformedAnswer
        }
    }

    /// What an answer is refused with that no server of ours gives.
    package var malformedAnswer: CommandError { .malformedAnswer(server: server.absoluteString) }

    /// An answer of a server.
    package struct Answer {
        /// The body.
        package let body: Data
        fileprivate let head: HTTPURLResponse

        /// Returns a header, or nil.
        package func header(_ name: String) -> String? { head.value(forHTTPHeaderField: name) }
    }

    /// Sends a request below `/api/v1`.
    ///
    /// - Throws: ``CommandError``.
    package func answer(
        _ method: String,
        _ path: String,
        _ query: [ExactText: String] = [:],
        _ body: Data? = nil,
        // TEXT: names of headers.
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var request = URLRequest(url: try url(path, query))
        request.httpMethod = method
        request.httpBody = body
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return try await send(request)
    }

    /// Asks for the newest checkpoint of the published log, which anybody may.
    ///
    /// - Throws: ``CommandError``, also when the server publishes no log.
    package func checkpoint() async throws -> [UInt8] {
        try await file("log/checkpoint")
    }

    /// Asks for a file that anybody may have.
    ///
    /// - Parameter path: Its path below the address.
    /// - Returns: Its bytes.
    /// - Throws: ``CommandError``.
    func file(_ path: String) async throws -> [UInt8] {
        Array(try await send(URLRequest(url: server.appendingPathComponent(path))).body)
    }

    private func send(_ request: URLRequest) async throws -> Answer {
        let (answer, response): (Data, URLResponse)
        do {
            (answer, response) = try await session.data(for: request)
        } catch let error as URLError where error.code == .cancelled {
            throw CancellationError()
        } catch let error as URLError {
            throw CommandError.unreachable(server: server.absoluteString, reason: Self.reason(error))
        }
        guard let head = response as? HTTPURLResponse else {
            throw CommandError.malformedAnswer(server: server.absoluteString)
        }
        guard (200..<300).contains(head.statusCode) else {
            let message = try decode(Refusal.self, from: answer).message
            throw CommandError.refused(status: head.statusCode, message: message)
        }
        return Answer(body: answer, head: head)
    }

    private func url(_ path: String, _ query: [ExactText: String]) throws -> URL {
        var components = URLComponents()
        components.queryItems = query.sorted { $0.key < $1.key }
            .map { URLQueryItem(name: $0.key.string, value: $0.value) }
        // A plus sign would be read as a space on the other side, and an empty query needs no question mark.
        components.percentEncodedQuery = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        let base = path.split(separator: "/")
            .reduce(server.appendingPathComponent("api/v1")) {
                $0.appendingPathComponent(String($1))
            }
        let text = base.absoluteString + (query.isEmpty ? "" : "?\(components.percentEncodedQuery ?? "")")
        guard let url = URL(string: text) else { throw CommandError.malformedServer(text) }
        return url
    }

    private static func reason(_ error: URLError) -> String {
        switch error.code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed: "nobody listens there"
        case .timedOut: "it does not answer in time"
        case .networkConnectionLost: "the connection broke off"
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot:
            "its certificate is not trusted here, or is for another name"
        case .serverCertificateHasBadDate, .serverCertificateNotYetValid: "its certificate is not valid now"
        default: "the connection failed (code \(error.errorCode))"
        }
    }
}
