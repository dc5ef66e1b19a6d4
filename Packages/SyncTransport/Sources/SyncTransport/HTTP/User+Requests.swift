package import EventModel

extension User {
    /// Sends a request for the user, whose token is renewed once when the server refuses it.
    ///
    /// Several requests that are refused at once share one renewal.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the server's address, percent-encoded, without a slash in front.
    ///   - headers: The header fields by lower-case name, without the token.
    ///   - body: The body.
    ///   - timeout: How long the request may make no progress; nil leaves that to the client.
    ///   - maximumAnswerBytes: How many bytes the answer may have; nil leaves that to the client.
    ///   - isKeptWaiting: Whether the server may keep it waiting until it has something to say.
    /// - Returns: The answer, whatever its status.
    /// - Throws: `TransportError` with `unreachable` when there is no answer, and with `unauthorized` when the user has to
    ///   sign in.
    package func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: [String: String] = [:],
        body: [UInt8] = [],
        timeout: Duration? = nil,
        maximumAnswerBytes: Int? = nil,
        isKeptWaiting: Bool = false
    ) async throws(TransportError) -> HTTPResponse {
        let address: ServerAddress
        do {
            address = try book.address()
        } catch {
            throw TransportError(.unreachable, message: "\(error)")
        }
        let request = HTTPRequest(
            method: method,
            url: address.url(path),
            headers: headers,
            body: body,
            timeout: timeout,
            maximumAnswerBytes: maximumAnswerBytes,
            isKeptWaiting: isKeptWaiting
        )
        let token = try await book.accessToken(of: id, refused: nil)
        let response = try await ask(request, token)
        guard response.status != 200, error(of: response).code == .unauthorized else { return response }
        return try await ask(request, book.accessToken(of: id, refused: token))
    }

    /// The error that an answer stands for which is no success, see ``ServerAnswer``.
    package func error(of response: HTTPResponse) -> TransportError {
        ServerAnswer.error(response, now: book.service.clock.now().wall)
    }

    private func ask(_ request: HTTPRequest, _ token: Secret) async throws(TransportError) -> HTTPResponse {
        do {
            return try await book.service.client.send(request.adding("Bearer \(token.value)", for: "authorization"))
        } catch {
            throw ServerAnswer.unreachable(error)
        }
    }
}
