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
    let captures: CaptureStretch
}

/// An event that a program made itself.
struct CustomEvent: Sendable {
    let clock: ClockReading
    let activity: String
    let eventType: String?
    let data: String?
    let metadata: EventMetadata
}
