import EventModel
import EventProofs

/// What a look at a log asks of the server.
struct LogRequests {
    /// The answer to the question for keys.
    struct KeyAnswer: Decodable {
        let publicKey: String
        let logKey: String?
        /// The statements by which the server's keys followed each other, the oldest first; nil from one that knows of none.
        let successions: [String]?
    }

    /// Where a partition is in the log, and the proof.
    struct InclusionAnswer: Decodable {
        let entry: PartitionLogEntry
        let proof: InclusionProof
    }

    /// How long an answer may make no progress: 10 seconds, as somebody who ends the program may wait for a look.
    private static let timeout = Duration.seconds(10)

    let user: User

    /// The server's keys; nil when it does not say.
    func key() async throws(LogDoubt) -> KeyAnswer? {
        guard let response = try await get("api/v1/key") else { return nil }
        return try decoded(KeyAnswer.self, response)
    }

    /// The newest checkpoint; nil when none is published.
    func checkpoint() async throws(LogDoubt) -> [UInt8]? {
        try await get("log/checkpoint", maximumBytes: SignedNote.maximumBytes)?.body
    }

    /// A tile of hashes; nil when the server has none of that name.
    func bytes(of tile: Tile) async throws(LogDoubt) -> [UInt8]? {
        try await get("log/\(tile.path)")?.body
    }

    /// Where a partition of the user is.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - size: The size of the tree that the proof is for; nil for the present one.
    /// - Returns: Its entry and the proof; nil when the server refuses it, because the tree does not have it.
    /// - Throws: `LogDoubt.away` without an answer of the server, `LogDoubt.unchecked` for any other answer.
    func inclusion(of partition: PartitionID, size: UInt64?) async throws(LogDoubt) -> InclusionAnswer? {
        let name = ServerAddress.encoded(partition.value)
        let path = "api/v1/log/inclusion?partition=\(name)\(size.map { "&size=\($0)" } ?? "")"
        let response: HTTPResponse
        do {
            response = try await user.send(.get, path, headers: ["accept": "application/json"], timeout: Self.timeout)
        } catch {
            throw LogDoubt(error)
        }
        if response.status == 400, user.error(of: response).code == .rejected { return nil }
        guard response.status == 200 else { throw LogDoubt(user.error(of: response)) }
        return try decoded(InclusionAnswer.self, response)
    }

    /// Asks without a token, as everybody may, so that caches can answer; nil when the server itself says that there is nothing.
    private func get(_ path: String, maximumBytes: Int? = nil) async throws(LogDoubt) -> HTTPResponse? {
        let response: HTTPResponse
        do {
            let url = try user.book.address().url(path)
            response = try await user.book.service.client.send(
                HTTPRequest(method: .get, url: url, timeout: Self.timeout, maximumAnswerBytes: maximumBytes)
            )
        } catch {
            throw LogDoubt(ServerAnswer.unreachable(error))
        }
        if response.status == 200 { return response }
        let error = user.error(of: response)
        if response.status == 404, error.code == .rejected { return nil }
        throw LogDoubt(error)
    }

    private func decoded<Answer: Decodable>(
        _ type: Answer.Type,
        _ response: HTTPResponse
    ) throws(LogDoubt) -> Answer {
        do throws(TransportError) {
            return try ServerAnswer.decode(type, from: response, now: user.book.service.clock.now().wall)
        } catch {
            throw LogDoubt(error)
        }
    }
}
