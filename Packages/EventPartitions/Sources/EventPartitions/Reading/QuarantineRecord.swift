import EventModel

/// What is kept beside a partition that was set aside.
struct QuarantineRecord: Codable, Sendable, Hashable {
    /// What kind of reason it was.
    enum Cause: String, Codable {
        /// A server did not take it, which another program or another server may see in another way.
        case refused
        /// The file is damaged; what can be read of it goes on in another one.
        case damaged
    }

    /// How long a partition that was refused rests before it is offered again.
    static let restMicroseconds: Int64 = 86_400_000_000
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
    /// What kind of reason it was; nil in notes of earlier versions.
    var cause: Cause?
    /// When it was set aside; nil in notes of earlier versions.
    var since: EventInstant?
    /// The program that set it aside; nil in notes of earlier versions.
    var program: String?

    /// Whether offering it again makes sense at all: what was damaged goes on in its copy.
    var isReleasable: Bool { cause == .refused || (cause == nil && salvagedInto == nil) }

    /// Whether it has rested for long enough, by a clock that may have been set back.
    func hasRested(at now: EventInstant) -> Bool {
        guard let since else { return false }
        let (rest, isBeyond) = now.microseconds.subtractingReportingOverflow(since.microseconds)
        return isBeyond || rest.magnitude >= Self.restMicroseconds.magnitude
    }
}
