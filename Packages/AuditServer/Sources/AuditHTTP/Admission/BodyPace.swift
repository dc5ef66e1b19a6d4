import NIOCore

/// How long a body was waited for, and how much of it came meanwhile: pure, so that a test says what the time is.
///
/// Only the time counts in which the server wanted to read: while it is busy with others, nobody is slow.
struct BodyPace {
    /// How long a body may take whatever its size: 5 seconds.
    static let grace = TimeAmount.seconds(5)
    /// How many bytes have to come in each second after that.
    static let bytesPerSecond: Int64 = 1024

    private var byteCount: Int64 = 0
    private var waited = TimeAmount.zero
    /// Since when the client is waited for.
    private(set) var waitingSince: NIODeadline?

    /// Notes that the server wants to read.
    mutating func wait(at now: NIODeadline) {
        waitingSince = waitingSince ?? now
    }

    /// Notes that bytes came.
    mutating func arrive(_ count: Int, at now: NIODeadline) {
        if let waitingSince { waited = waited + (now - waitingSince) }
        waitingSince = nil
        byteCount += Int64(count)
    }

    /// Returns how long the client may still be waited for; nothing, or less, when the body is too slow.
    func patience(at now: NIODeadline) -> TimeAmount {
        let earned = TimeAmount.nanoseconds(byteCount * 1_000_000_000 / Self.bytesPerSecond)
        return Self.grace + earned - waited - (waitingSince.map { now - $0 } ?? .zero)
    }
}
