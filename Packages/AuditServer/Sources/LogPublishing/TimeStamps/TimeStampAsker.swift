public import EventModel
public import EventProofs
import TimeStamping

/// Has the newest checkpoint of a log time-stamped, one an hour or as often as the settings say; nothing waits for it.
///
/// ```swift
/// if asker.isDue(for: shown, at: clock.now()) { await asker.ask(for: shown, at: clock.now()) }
/// ```
public struct TimeStampAsker: Sendable {
    /// The longest pause after failures, in seconds.
    static let longestPause: Int64 = 300
    /// How far the server's clock may be from the authority's without a word, in microseconds: five minutes.
    static let allowedDifference: Int64 = 300_000_000

    private let settings: TimeStampSettings
    private let stamped: StampedLog
    private let transport: any OutsideTransport
    private let nonce: @Sendable () -> UInt64
    private var failures = 0

    /// Creates an asker.
    ///
    /// - Parameters:
    ///   - settings: The authority.
    ///   - stamped: Where time-stamps are kept.
    ///   - transport: How the authority is reached.
    ///   - nonce: Makes a number that nobody can guess; a random one by default.
    public init(
        _ settings: TimeStampSettings,
        of stamped: StampedLog,
        transport: any OutsideTransport,
        nonce: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0...(.max)) }
    ) {
        self.settings = settings
        self.stamped = stamped
        self.transport = transport
        self.nonce = nonce
    }

    /// Returns whether the log has grown since the last time-stamp, and that is long enough ago.
    ///
    /// When those that there are cannot be read, none is asked for, and ``StampedLog/concern`` says so.
    public func isDue(for shown: SignedCheckpoint, at reading: ClockReading) -> Bool {
        do throws(LogPublishingError) {
            let isDue = try isOlder(shown, reading)
            if case .unreadable? = stamped.concern { stamped.note(nil) }
            return isDue
        } catch {
            stamped.note(.unreadable(reason: error.shown))
            return false
        }
    }

    private func isOlder(_ shown: SignedCheckpoint, _ reading: ClockReading) throws(LogPublishingError) -> Bool {
        guard shown.checkpoint.size > (try stamped.sizes().last ?? 0) else { return false }
        guard let last = try stamped.newestTime() else { return true }
        // A clock that went back does not stop time-stamps, which would show that it did.
        let passed = reading.wall.microseconds.subtractingReportingOverflow(last.microseconds).partialValue
        return passed < -settings.pauseMicroseconds || passed >= settings.pauseMicroseconds
    }

    /// How long to wait before the authority may be asked again: a second, and ever longer while it fails, at most five minutes.
    public var pause: Duration {
        .seconds(failures == 0 ? 1 : min(Self.longestPause, 1 << Int64(min(failures, 20))))
    }

    /// Asks for a time-stamp of a checkpoint, verifies it, and keeps it.
    ///
    /// - Parameters:
    ///   - signed: The checkpoint, with all cosignatures that it has.
    ///   - reading: The time.
    /// - Returns: What is wrong; nil when nothing is.
    @discardableResult
    public mutating func ask(for signed: SignedCheckpoint, at reading: ClockReading) async -> TimeStampConcern? {
        let concern = await outcome(for: signed, at: reading)
        if case .otherClock? = concern { failures = 0 } else { failures = concern == nil ? 0 : failures + 1 }
        stamped.note(concern)
        return concern
    }

    private func outcome(for signed: SignedCheckpoint, at reading: ClockReading) async -> TimeStampConcern? {
        let bytes = signed.note.bytes
        let request = TimeStampRequest(over: bytes, nonce: nonce())
        let response: OutsideResponse
        do {
            response = try await transport.post(
                request.bytes(),
                as: TimeStampRequest.contentType,
                to: settings.url,
                limit: TimeStampToken.maximumBytes
            )
        } catch {
            return .unreachable(reason: String("\(error)".prefix(200)))
        }
        guard response.status == 200 else { return .unavailable(status: response.status) }
        let stamp: TimeStamp
        do throws(TimeStampError) {
            stamp = try await settings.trust.verify(TimeStampToken(response.body), over: bytes, answering: request)
        } catch {
            return .rejected(reason: "\(error)")
        }
        do throws(LogPublishingError) {
            try stamped.add(response.body, of: signed, at: stamp.time)
        } catch {
            return .unwritable(reason: error.shown)
        }
        let difference = reading.wall.microseconds.subtractingReportingOverflow(stamp.time.microseconds).partialValue
        guard difference.magnitude > UInt64(Self.allowedDifference + (stamp.accuracy ?? 0)) else { return nil }
        return .otherClock(seconds: difference / 1_000_000)
    }
}
