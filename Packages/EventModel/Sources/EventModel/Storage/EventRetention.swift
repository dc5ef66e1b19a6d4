/// How long closed partitions of the local destination are kept; what goes is entered in the loss ledger.
///
/// Holds for events without an account alone: files that wait for an upload are only deleted when the server has proven to
/// hold them, or by the quota's policy.
public struct EventRetention: Sendable, Hashable {
    /// Keeps all events, within the quota.
    public static let everything = EventRetention()

    /// How old events become at least before their partition is deleted; nil, the default, means any age.
    ///
    /// A partition is deleted when its last event is older. One that is written to is closed when its first event has a
    /// quarter of this age, so no event becomes older than five quarters of it, while its realm is in use. The device's clock
    /// decides.
    public var maximumAge: Duration?

    /// How many bytes closed partitions of the prefix may take before the oldest are deleted; nil, the default, means any.
    public var maximumBytes: UInt64?

    /// Creates a retention, which is not checked before ``validate()``; what is nil bounds nothing.
    public init(maximumAge: Duration? = nil, maximumBytes: UInt64? = nil) {
        self.maximumAge = maximumAge
        self.maximumBytes = maximumBytes
    }

    /// Keeps events for a number of days of 24 hours.
    public static func days(_ count: Int) -> EventRetention {
        EventRetention(maximumAge: .seconds(count * 86400))
    }
}

extension EventRetention {
    /// Checks age and size.
    ///
    /// - Throws: ``EventModelError/invalidParameter(_:reason:)`` when the age is shorter than a minute or there is no room
    ///   for a single byte: both would delete events as soon as they are stored.
    public func validate() throws(EventModelError) {
        if let maximumAge, maximumAge < .seconds(60) {
            throw .invalidParameter("retention.maximumAge", reason: "\(maximumAge) is less than a minute")
        }
        if maximumBytes == 0 {
            throw .invalidParameter("retention.maximumBytes", reason: "0 would keep no closed partition at all")
        }
    }
}
