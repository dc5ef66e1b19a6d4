/// How much memory and time the answer to a request may take, whoever gives it.
struct AnswerLimits: Sendable {
    /// The largest body that is kept, in bytes; 256 KiB, many times what the protocol's answers have.
    var maximumBytes: Int = 256 << 10
    /// How long an answer may take from the first byte of its body to the last; 30 seconds.
    var maximumDuration: Duration = .seconds(30)
    /// The lowest rate at which a body may be sent, in bytes a second; 4 KiB, a poor mobile network.
    var minimumRate: Int = 4 << 10

    /// Returns the limits of a request that names the largest body of its answer itself.
    ///
    /// What is larger than usual may take as much longer as it would at the lowest rate.
    func allowing(_ bytes: Int?) -> AnswerLimits {
        guard let bytes else { return self }
        var limits = self
        limits.maximumBytes = bytes
        limits.maximumDuration += .seconds(max(0, bytes - maximumBytes) / minimumRate)
        return limits
    }

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
