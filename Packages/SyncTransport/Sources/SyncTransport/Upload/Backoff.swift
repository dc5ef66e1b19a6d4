/// The pauses between attempts: exponential with full jitter, so that many devices do not come back at once.
///
/// The ceiling of the *n*th pause in a row is `minimum` times 2 to the power *n* - 1, at most `maximum`; the pause is a
/// random part of it. There is no last attempt.
struct Backoff: Sendable {
    let minimum: Duration
    let maximum: Duration
    /// How many attempts in a row made no progress.
    private(set) var attempts = 0

    init(minimum: Duration, maximum: Duration) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Counts a failed attempt and returns the pause after it.
    ///
    /// - Parameters:
    ///   - fraction: A random number from 0 to 1.
    ///   - retryAfter: The least pause that the server asks for; believed up to `maximum` times 12, an hour by default.
    /// - Returns: The pause; zero is possible.
    mutating func next(fraction: Double, retryAfter: Duration? = nil) -> Duration {
        var ceiling = minimum
        for _ in 0..<attempts where ceiling < maximum { ceiling *= 2 }
        attempts += 1
        let pause = min(ceiling, maximum) * min(max(fraction, 0), 1)
        return max(pause, min(retryAfter ?? .zero, maximum * 12))
    }

    /// Notes progress: the next pause is short again.
    mutating func reset() {
        attempts = 0
    }
}
