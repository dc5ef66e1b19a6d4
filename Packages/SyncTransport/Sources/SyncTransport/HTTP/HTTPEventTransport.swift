public import EventModel

/// Uploads stretches over HTTP for a user, with the user's token.
///
/// When the server refuses the token, the session is renewed and the request sent once more; several requests that are
/// refused at once share one renewal.
///
/// What the server signs is checked: against the key of the app's configuration, or against the first that it signed with.
public struct HTTPEventTransport: EventTransport {
    private let user: User

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
        let address = try address()
        return try await proof(
            of: stretch.partition,
            HTTPRequest(
                method: .post,
                url: address.events(stretch.partition.value),
                headers: ["content-type": PartitionStretch.mediaType],
                body: body
            )
        )
    }

    /// Asks how far the server holds a partition, without sending anything.
    ///
    /// - Throws: As ``send(_:)`` does.
    public func proof(of partition: PartitionID) async throws(TransportError) -> DurabilityProof {
        let address = try address()
        return try await proof(of: partition, HTTPRequest(method: .get, url: address.partition(partition.value)))
    }

    private func address() throws(TransportError) -> ServerAddress {
        do {
            return try user.book.address()
        } catch {
            throw TransportError(.unreachable, message: "\(error)")
        }
    }

    private func proof(of partition: PartitionID, _ request: HTTPRequest) async throws(TransportError)
        -> DurabilityProof
    {
        let token = try await user.book.accessToken(of: user.id, refused: nil)
        let proof: DurabilityProof
        do throws(TransportError) {
            proof = try await ask(request, token)
        } catch  where error.code == .unauthorized {
            proof = try await ask(request, user.book.accessToken(of: user.id, refused: token))
        }
        guard proof.partition == partition else {
            throw TransportError(.malformedAnswer, message: "The server's proof is of another partition.")
        }
        try user.book.receipts.check(proof, of: user.id)
        return proof
    }

    private func ask(_ request: HTTPRequest, _ token: Secret) async throws(TransportError) -> DurabilityProof {
        var headers = request.headers
        headers["authorization"] = "Bearer \(token.value)"
        headers["accept"] = "application/json"
        let authorised = HTTPRequest(method: request.method, url: request.url, headers: headers, body: request.body)
        let response: HTTPResponse
        do {
            response = try await user.book.service.client.send(authorised)
        } catch {
            throw ServerAnswer.unreachable(error)
        }
        return try ServerAnswer.decode(
            DurabilityProof.self,
            from: response,
            now: user.book.service.clock.now().wall
        )
    }
}
