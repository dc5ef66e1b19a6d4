import EventModel

/// Events that wait for one call of the sink, and what became of those before: the events of several submissions.
///
/// Bounded in count and bytes, so that the events of a long scope are never in memory as a whole: whoever adds asks
/// ``isFull`` and delivers then.
struct EventBatch {
    /// How many events make a batch full.
    static let maximumCount = 16_384
    /// How many bytes of payload make a batch full: 4 MiB, because one is delivered while the next one is filled.
    static let maximumBytes = 4 << 20

    /// What became of one submission so far.
    struct Part {
        /// Which of the events of the batch are its own.
        fileprivate(set) var events: Range<Int>
        /// How far its events went to the sink in earlier batches.
        fileprivate(set) var delivered = StoredProgress()
        /// How far they will have gone with those that were taken out, and with those that wait.
        fileprivate var inFlight = StoredProgress()
        fileprivate var waiting = StoredProgress()
        /// What became of these.
        fileprivate(set) var outcome = DeliveryOutcome()
        /// What could not be made.
        var failures = EventComposer.Failures()
    }

    /// The events that wait, in order of submission.
    private(set) var events: [AuditEvent] = []
    /// One part for each submission, in order.
    private(set) var parts: [Part] = []
    private var byteCount = 0

    /// Whether no more events should be added before those that wait are delivered.
    var isFull: Bool { events.count >= Self.maximumCount || byteCount >= Self.maximumBytes }

    /// Begins the part of another submission.
    mutating func beginPart() {
        parts.append(Part(events: events.count..<events.count))
    }

    /// Adds an event to the last part.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - number: Its number within its scope; nil for one that the realm's file names.
    /// - Precondition: A part was begun.
    mutating func append(_ event: AuditEvent, number: Int?) {
        events.append(event)
        parts[parts.count - 1].waiting.add(event.id, number: number)
        byteCount += event.data?.count ?? 0
        parts[parts.count - 1].events = parts[parts.count - 1].events.lowerBound..<events.count
    }

    /// Notes what could not be made of the last part.
    mutating func endPart(_ failures: EventComposer.Failures) {
        parts[parts.count - 1].failures = failures
    }

    /// Takes out the events that wait, and says which of them belong to each part; ``didDeliver(_:_:)`` must follow.
    mutating func take() -> (events: [AuditEvent], ranges: [Range<Int>]) {
        defer {
            events = []
            byteCount = 0
            for index in parts.indices {
                parts[index].events = 0..<0
                parts[index].inFlight = parts[index].waiting
            }
        }
        return (events, parts.map(\.events))
    }

    /// Notes what became of the events that were taken out.
    ///
    /// - Parameters:
    ///   - ranges: The ranges that came with the events.
    ///   - outcomes: One outcome for each of them.
    mutating func didDeliver(_ ranges: [Range<Int>], _ outcomes: [DeliveryOutcome]) {
        for (index, (range, outcome)) in zip(ranges, outcomes).enumerated() {
            if !range.isEmpty { parts[index].delivered = parts[index].inFlight }
            parts[index].outcome.add(outcome)
        }
    }
}
