/// How much memory and time the answer to a request may take, whoever gives it.
struct AnswerLimits: Sendable {
    /// The largest body that is kept, in bytes; 256 KiB, many times what the protocol's answers have.
    var maximumBytes: Int = 256 << 10
    /// How long an answer may take from the first byte of its body to the last; 30 seconds.
    var maximumDuration: Duration = .seconds(30)
    /// The lowest rate at which a body may be sent, in bytes a second; 4 KiB, a poor mobile network.
    var minimumRate: Int = 4 << 10

    /// How long an exchange may take as a whole.
    ///
    /// - Parameters:
    ///   - byteCount: The size of the request's body.
    ///   - timeout: How long it may make no progress.
    /// - Returns: The time from its beginning to the last byte of its answer.
    func duration(sending byteCount: Int, timeout: Duration) -> Duration {
        timeout + maximumDuration + .seconds(byteCount / minimumRate)
    }
}
