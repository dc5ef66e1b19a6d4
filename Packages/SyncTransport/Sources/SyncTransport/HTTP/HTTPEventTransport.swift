public import EventModel

/// Uploads stretches over HTTP for a user, with the user's token.
///
/// When the server refuses the token, the session is renewed and the request sent once more; several requests that are
/// refused at once share one renewal.
///
/// What the server signs is checked: against the key of the app's configuration, or against the first that it signed with. An
/// ``Uploader`` also looks at the log that the server publishes, see <doc:WhatDevicesCheckOfTheLog>.
public struct HTTPEventTransport: EventTransport {
    let user: User

    /// Creates a transport.
    ///
    /// - Parameter user: The user whose partitions are sent; may log out and in again while the transport lives.
    public init(user: User) {
        self.user = user
    }

    /// Sends a stretch and returns the server's proof.
    public func send(_ stretch: PartitionStretch) async throws(TransportError) -> DurabilityProof {
        let body: [UInt8]
        do {
            body = try stretch.wireBytes()
        } catch {
            throw TransportError(.rejected, message: "The stretch cannot be written: \(error)")
        }
        return try await proof(
            of: stretch.partition,
            .post,
            "events",
            headers: ["content-type": PartitionStretch.mediaType],
            body: body,
            seal: stretch.seal
        )
    }

    /// Asks how far the server holds a partition, without sending anything.
    ///
    /// - Throws: As ``send(_:)`` does.
    public func proof(of partition: PartitionID) async throws(TransportError) -> DurabilityProof {
        try await proof(of: partition, .get)
    }

    private func proof(
        of partition: PartitionID,
        _ method: HTTPRequest.Method,
        _ part: String? = nil,
        headers: [String: String] = [:],
        body: [UInt8] = [],
        seal: PartitionSeal? = nil
    ) async throws(TransportError) -> DurabilityProof {
        try user.book.receipts.log.check()
        let path = "api/v1/partitions/\(ServerAddress.encoded(partition.value))"
        var headers = headers
        headers["accept"] = "application/json"
        let response = try await user.send(
            method,
            part.map { "\(path)/\($0)" } ?? path,
            headers: headers,
            body: body
        )
        let proof = try ServerAnswer.decode(
            DurabilityProof.self,
            from: response,
            now: user.book.service.clock.now().wall
        )
        guard proof.partition == partition else {
            throw TransportError(.malformedAnswer, message: "The server's proof is of another partition.")
        }
        if let receipt = proof.receipt { try await followKeys(to: receipt.publicKey) }
        try user.book.receipts.check(proof, of: user.id, seal: seal)
        return proof
    }

    /// Asks a server that signs with another key than the known one whether it states that this one followed.
    private func followKeys(to key: [UInt8]) async throws(TransportError) {
        let keys = user.book.receipts.keys
        guard let present = try keys.present(), present.bytes != key else { return }
        let answer: LogRequests.KeyAnswer?
        do throws(LogDoubt) {
            answer = try await LogRequests(user: user).key()
        } catch {
            // Who does not answer may do so later; who answers something else is not believed, which the receipt then tells.
            if case .away(let error) = error { throw error }
            return
        }
        _ = try keys.follow(answer?.successions ?? [])
    }
}
