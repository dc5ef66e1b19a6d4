public import ChangeModel
import Deflate
import EventModel
public import SyncTransport
import Synchronization

/// The server's side of a realm over HTTP, for a user, with the user's token.
///
/// When the server refuses the token, the session is renewed and the request sent once more. An answer of somebody in between, such
/// as a proxy, says nothing of the realm: it is as if the server was not reached. `SYNC.md` of the server has the protocol.
public final class HTTPChangeTransport: ChangeTransport {
    private let user: User
    private let timeouts: SyncTimeoutOptions
    private let path: String
    /// The number of the file, by which the server tells its readers apart; 0 before the first bind.
    private let file = Mutex<UInt32>(0)

    /// Creates a way to a realm.
    ///
    /// - Parameters:
    ///   - user: The user who shares it; may log out and in again while the transport lives.
    ///   - value: The value of the realm's partition.
    public init(user: User, partitionValue value: some PartitionValue) {
        self.user = user
        timeouts = user.syncManager.timeoutOptions
        path = "api/v1/sync/\(ServerAddress.encoded(value.typedText))"
    }

    /// Presents a file to the server.
    public func bind(_ request: BindRequest) async throws -> BindAnswer {
        let bytes = try await send(.post, "bind", body: request.encoded, limit: ChangeLimits.bindBytes)
        let answer = try BindAnswer(bytes: bytes)
        file.withLock { $0 = answer.binding.file }
        return answer
    }

    /// Sends changes.
    public func send(_ batch: [UInt8]) async throws -> SendAnswer {
        try SendAnswer(bytes: try await send(.post, "changes", body: batch, limit: ChangeLimits.answerBytes))
    }

    /// Asks for entries, and waits for some where there are none.
    public func entries(
        after position: Int,
        history: HistoryID,
        wait: Duration,
        limit bytes: Int
    ) async throws -> EntriesAnswer {
        let longest = min(Int(clamping: timeouts.pingKeepalivePeriod / 1000), SyncWire.longestWait)
        let seconds = min(max(Int(wait.components.seconds), 0), longest)
        let answer = try await send(
            .get,
            "changes",
            query: [
                ("after", "\(position)"), ("history", Hexadecimal.text(history.bytes)), ("wait", "\(seconds)"),
                ("bytes", "\(Self.size(bytes))"),
            ],
            waiting: .seconds(seconds),
            // Also one that waits for less than a second, which leaves a connection behind for those that wait longer.
            isKeptWaiting: wait > .zero,
            limit: ChangeLimits.answerBytes
        )
        return try EntriesAnswer(bytes: answer)
    }

    /// Asks for a page of a snapshot.
    public func objects(after cursor: SnapshotCursor?, history: HistoryID, limit bytes: Int) async throws
        -> SnapshotPage
    {
        var query = [("history", Hexadecimal.text(history.bytes)), ("bytes", "\(Self.size(bytes))")]
        if let cursor { query.append(("after", cursor.text)) }
        return try SnapshotPage(
            bytes: try await send(.get, "objects", query: query, limit: ChangeLimits.pageBytes)
        )
    }
}

// MARK: - Requests

extension HTTPChangeTransport {
    /// The sizes of answers that the protocol knows.
    private static func size(_ bytes: Int) -> Int { min(max(bytes, 4096), ChangeLimits.batchBytes) }

    /// Sends a request and returns the bytes of a message.
    private func send(
        _ method: HTTPRequest.Method,
        _ route: String,
        query: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        waiting: Duration = .zero,
        isKeptWaiting: Bool = false,
        limit: Int
    ) async throws -> [UInt8] {
        let query = [("file", "\(file.withLock(\.self))")] + query
        let parameters = query.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        var headers = [SyncWire.versionHeader: "\(SyncWire.version)", "accept": SyncWire.mediaType]
        var body = body
        if method == .post {
            headers["content-type"] = SyncWire.mediaType
            if let packed = Deflate.packed(body) {
                headers["content-encoding"] = Deflate.coding
                body = packed
            }
        }
        for (name, value) in user.syncManager.customRequestHeaders where headers[name.lowercased()] == nil {
            headers[name.lowercased()] = value
        }
        let patience = waiting > .zero ? timeouts.pongKeepaliveTimeout : timeouts.connectTimeout
        let response: HTTPResponse
        do {
            response = try await user.send(
                method,
                "\(path)/\(route)?\(parameters)",
                headers: headers,
                body: body,
                timeout: .milliseconds(patience) + waiting,
                maximumAnswerBytes: limit,
                isKeptWaiting: isKeptWaiting
            )
        } catch {
            throw ChangeModelError.failed(error.code == .unauthorized ? .unauthorized : .unreachable)
        }
        if response.status == 200, response.headers["content-type"] == SyncWire.mediaType { return response.body }
        throw ChangeModelError.failed(SyncFailure(response, of: user))
    }
}
