import EventModel

/// The events of all submissions that wait, made for one call of the sink.
struct EventBatch {
    /// What one submission brought.
    struct Part {
        /// Its events, possibly none.
        let events: Range<Int>
        /// How many of them lack their payload.
        var incompleteCount = 0
        /// Why the first of these does.
        var firstCause: (any Error)?
    }

    /// The events, in order of submission.
    private(set) var events: [AuditEvent] = []
    /// One part for each submission, in order.
    private(set) var parts: [Part] = []
    private var scratch: [UInt8] = []

    /// How many events lack their payload.
    var incompleteCount: Int { parts.reduce(0) { $0 + $1.incompleteCount } }

    /// Makes the events of one more submission.
    mutating func append(_ submission: Submission, composer: EventComposer) {
        let start = events.count
        var failures = EventComposer.Failures()
        switch submission.content {
        case .scope(let scope): failures = composer.compose(scope, into: &events, scratch: &scratch)
        case .custom(let event): composer.compose(event, into: &events)
        case .refused: break
        }
        parts.append(
            Part(events: start..<events.count, incompleteCount: failures.count, firstCause: failures.first)
        )
    }
}
