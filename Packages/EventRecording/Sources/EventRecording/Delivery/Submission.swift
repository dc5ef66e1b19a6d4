import EventModel

/// What a program handed over to the background queue, in the order in which it did.
struct Submission: Sendable {
    enum Content: Sendable {
        case scope(CommittedScope)
        case custom(CustomEvent)
        /// A request that could not be carried out; its completion still waits for its turn.
        case refused(RecordingError)
    }

    let content: Content
    let completion: (@Sendable ((any Error)?) -> Void)?
}

/// A scope that was committed.
struct CommittedScope: Sendable {
    let id: Int
    let activity: String
    let metadata: EventMetadata
    /// The clocks at the commit; captures lie in the same boot.
    let committed: ClockReading
    /// The positions of its captures.
    let positions: Range<Int>
    /// The captures that were in memory at the commit; those in front of them lie in the journal.
    let captures: CaptureStretch
    /// Whether a link was followed in the scope.
    let hasFollows: Bool
    /// Whether the realm's file may hold writes of it.
    let isNoted: Bool

    /// Whether no capture must be read back from the journal.
    var isWhollyInMemory: Bool { (captures.firstPosition ?? positions.upperBound) <= positions.lowerBound }
}

/// An event that a program made itself.
struct CustomEvent: Sendable {
    let clock: ClockReading
    let activity: String
    let eventType: String?
    let data: String?
    let metadata: EventMetadata
}
