public import EventModel

/// What a time-stamp proves, to whom trusts the authority: that bytes existed before a time.
public struct TimeStamp: Sendable, Hashable {
    /// The time of the authority.
    public let time: EventInstant
    /// How far it may be from the true one, in microseconds, by the authority's own word; nil when it does not say.
    public let accuracy: Int64?
    /// Whose certificate signed it.
    public let authority: String  // TEXT: a name out of a certificate that was verified; whoever shows it cuts it.
    /// The number that the authority gave it, as hexadecimal digits.
    public let serial: String

    /// The latest time at which the bytes may have come into being: the time, and what it may be off by.
    public var latest: EventInstant { Self.latest(time, accuracy) }

    static func latest(_ time: EventInstant, _ accuracy: Int64?) -> EventInstant {
        let (sum, isTooLate) = time.microseconds.addingReportingOverflow(accuracy ?? 0)
        return EventInstant(microseconds: isTooLate ? .max : sum)
    }
}
