import EventModel

/// What is kept beside a partition that was set aside.
struct QuarantineRecord: Codable, Sendable, Hashable {
    /// Why, for people.
    let reason: String
    /// How many events were known to be in it.
    let count: UInt64
    /// Whether it has a seal.
    let isSealed: Bool
    /// How many events the server had proven to hold.
    let acknowledgedThrough: UInt64
}
