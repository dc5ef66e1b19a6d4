import EventModel

/// What became of the events of one submission.
struct DeliveryOutcome {
    /// How many are durable.
    var persisted = 0
    /// How many the sink refuses for good.
    var rejected = 0
    /// How many were given up.
    var failed = 0
    /// When the events happened that were given up; nil when none were.
    var failedInstants: ClosedRange<EventInstant>?
    /// The first thing that went wrong.
    var error: (any Error)?

    /// Adds what became of later events of the same submission.
    mutating func add(_ later: DeliveryOutcome) {
        persisted += later.persisted
        rejected += later.rejected
        failed += later.failed
        if let instants = later.failedInstants {
            let known = failedInstants ?? instants
            failedInstants =
                min(known.lowerBound, instants.lowerBound)...max(known.upperBound, instants.upperBound)
        }
        error = error.map { RecordingError.joining($0, later.error) } ?? later.error
    }
}
