/// Brings a request to somebody outside who attests to the log, a witness or an authority of time; the one way to them.
public protocol OutsideTransport: Sendable {
    /// Sends a body with POST, and returns what is answered.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - contentType: What it is.
    ///   - url: Where it goes.
    ///   - limit: How many bytes of an answer are read; an answer with more is an error.
    /// - Returns: The answer, whatever its status.
    /// - Throws: When there is no whole answer within a bounded time. What is thrown describes itself in a few words.
    func post(
        _ body: [UInt8],
        as contentType: String,
        to url: String,
        limit: Int
    ) async throws -> OutsideResponse
}

/// What came back from somebody outside; nothing of it is believed yet.
public struct OutsideResponse: Sendable, Hashable {
    /// The status of HTTP.
    public let status: Int
    /// The content type; nil when none is stated.
    public let contentType: String?
    /// What says which version of an object the body is; nil when none is stated.
    public let entityTag: String?
    /// The body.
    public let body: [UInt8]

    /// Notes an answer.
    public init(status: Int, contentType: String? = nil, entityTag: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.contentType = contentType
        self.entityTag = entityTag
        self.body = body
    }
}
