public import EventModel

/// The rules of recording said as plainly as possible: what a recorder must store of what a program does.
///
/// It keeps a copy of every capture for every active scope and looks at all of them again for every event. So it is
/// slow, takes any amount of memory, and has nothing in common with a recorder but the rules. Random programs are run
/// against both, and every event is compared.
///
/// ```swift
/// var plain = PlainRecording()
/// plain.beginScope(1, activity: "chart")
/// plain.capture(PlainCapture(.read(.init("Person", 1, version: 1)), at: now))
/// plain.commitScope(1, at: now)
/// plain.events          // one read of person 1
/// ```
public struct PlainRecording {
    private struct Scope {
        let activity: String
        let metadata: [String: String]
        var captures: [PlainCapture] = []
    }

    /// What must be stored so far, in order.
    public private(set) var events: [PlainEvent] = []
    /// The metadata of what begins now.
    public private(set) var metadata: [String: String]

    private let recordsEmptyQueries: Bool
    private var metadataOfLastOpening: [String: String]
    private var scopes: [Int: Scope] = [:]

    /// Begins without any scope.
    ///
    /// - Parameters:
    ///   - metadata: What the configuration brings.
    ///   - recordsEmptyQueries: Whether a query that found nothing is an event.
    public init(metadata: [String: String] = [:], recordsEmptyQueries: Bool = false) {
        self.metadata = metadata
        metadataOfLastOpening = metadata
        self.recordsEmptyQueries = recordsEmptyQueries
    }

    // MARK: - Scopes

    /// Begins a scope under a number that is not active.
    public mutating func beginScope(_ number: Int, activity: String) {
        scopes[number] = Scope(activity: activity, metadata: metadata)
    }

    /// Ends a scope and adds its events.
    ///
    /// - Returns: How many there are; nil when the scope was not active.
    @discardableResult
    public mutating func commitScope(_ number: Int, at time: EventInstant) -> Int? {
        end(number, at: time)
    }

    /// Ends the process: what active scopes captured is kept, in the order in which they began.
    public mutating func endProcess() {
        for number in scopes.keys.sorted() { _ = end(number, at: nil) }
    }

    private mutating func end(_ number: Int, at time: EventInstant?) -> Int? {
        guard let scope = scopes.removeValue(forKey: number) else { return nil }
        let expected = expectedEvents(of: scope.captures)
            .map { event in
                PlainEvent(
                    activity: scope.activity,
                    event: event.kind,
                    payload: event.payload,
                    timestamp: event.time,
                    scopeCommitted: time,
                    metadata: scope.metadata,
                    version: event.version
                )
            }
        events += expected
        return expected.count
    }

    /// Ends a scope and forgets it.
    public mutating func cancelScope(_ number: Int) {
        scopes[number] = nil
    }

    /// Forgets the events that were added last, because they could not be stored.
    public mutating func loseLast(_ count: Int) {
        events.removeLast(count)
    }

    // MARK: - What happens

    /// Adds what a program did to every active scope.
    public mutating func capture(_ capture: PlainCapture) {
        if case .query(_, let keys, _) = capture.kind, keys.isEmpty, !recordsEmptyQueries { return }
        for number in scopes.keys { scopes[number]?.captures.append(capture) }
    }

    /// Adds an event of the program's own.
    public mutating func recordEvent(activity: String, eventType: String?, data: String?, at time: EventInstant) {
        events.append(
            PlainEvent(
                activity: activity,
                event: eventType,
                payload: .text(data),
                timestamp: time,
                scopeCommitted: nil,
                metadata: metadata,
                version: nil
            )
        )
    }

    /// Replaces the metadata, unless a key cannot be a column.
    public mutating func updateMetadata(_ metadata: [String: String]) {
        let isValid = metadata.keys.allSatisfy { key in
            let isReserved = ["_id", "_partition", "timestamp", "activity", "event", "data", "daybook"].contains(key)
            return !key.isEmpty && key.utf8.count < 64 && !isReserved
        }
        if isValid { self.metadata = metadata }
    }

    /// Takes over the metadata of another opening of the file, unless the opening before it brought the same.
    public mutating func reopen(with metadata: [String: String]) {
        guard metadata != metadataOfLastOpening else { return }
        metadataOfLastOpening = metadata
        self.metadata = metadata
    }
}
