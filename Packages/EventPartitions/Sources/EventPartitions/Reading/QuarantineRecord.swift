import EventModel

/// What is kept beside a partition that was set aside.
struct QuarantineRecord: Codable, Sendable, Hashable {
    /// No record is larger; the bound keeps a file that somebody put there from asking for memory.
    static let maximumBytes = 1 << 16

    /// Why, for people.
    let reason: String
    /// How many events were known to be in it.
    let count: UInt64
    /// Whether it has a seal.
    let isSealed: Bool
    /// How many events the server had proven to hold.
    let acknowledgedThrough: UInt64
    /// The partition into which the readable events were copied; nil when there was nothing to copy.
    var salvagedInto: ObjectId?
}
