/// Brings a request to a witness; the one way in which a log learns what its witnesses say.
public protocol WitnessTransport: Sendable {
    /// Sends a body with POST, and returns what is answered.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - url: Where it goes.
    ///   - limit: How many bytes of an answer are read; an answer with more is an error.
    /// - Returns: The answer, whatever its status.
    /// - Throws: When there is no whole answer within a bounded time. What is thrown describes itself in a few words.
    func send(_ body: [UInt8], to url: String, limit: Int) async throws -> WitnessResponse
}

/// What came back from a witness; nothing of it is believed yet.
public struct WitnessResponse: Sendable, Hashable {
    /// The status of HTTP.
    public let status: Int
    /// The content type; nil when none is stated.
    public let contentType: String?
    /// The body.
    public let body: [UInt8]

    /// Notes an answer.
    public init(status: Int, contentType: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}
