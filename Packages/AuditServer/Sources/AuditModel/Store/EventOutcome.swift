import EventModel

/// How the recording of an event ended.
public enum EventOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// As it should: the scope was committed, or the event is a custom one.
    case complete
    /// As it should, and the search that it tells of found nothing.
    case nothingFound
    /// The scope ended with its process and not by a commit.
    case interrupted
    /// The payload could not be made; `data` says why.
    case incomplete
    /// The stored columns no longer make up an event.
    case damaged
    /// What the event said was erased, and the record of that is there.
    case erased
}

extension StoredEvent {
    /// How the recording ended; of an event that is both, that the payload could not be made.
    public var outcome: EventOutcome {
        guard let event else { return erasure == nil ? .damaged : .erased }
        if event.marks.contains(.incomplete) { return .incomplete }
        if event.marks.contains(.interrupted) { return .interrupted }
        return event.data.map { EmptySearch.isOne(event: event.event, data: $0) } ?? false ? .nothingFound : .complete
    }
}
