import EventModel

/// What is kept of a partition that was deleted while somebody may not have known that its events are stored.
///
/// A file `<24 hex digits>.deleted` with one JSON object. It goes when the journals are gone whose scopes may have had events
/// in the partition.
struct DeletionRecord: Codable, Sendable, Hashable {
    /// No record is larger; the bound keeps a file that somebody put there from asking for memory.
    static let maximumBytes = 64 << 20

    /// Events with consecutive ids.
    struct Run: Codable, Sendable, Hashable {
        let first: ObjectId
        var count: Int
    }

    /// The journals that may not know of the events; nil for all that there are, those that are begun later included.
    let journals: [ObjectId]?
    /// The events, in order.
    private(set) var events: [Run] = []

    /// Creates the record of a partition without events.
    init(journals: [ObjectId]?) {
        self.journals = journals
    }

    /// Adds an event.
    mutating func append(_ id: ObjectId) {
        if let last = events.last, last.first.following(last.count) == id {
            events[events.count - 1].count += 1
        } else {
            events.append(Run(first: id, count: 1))
        }
    }

    /// Whether nobody can ask for it any more, given the journals that there are.
    func isOutlived(by present: Set<ObjectId>) -> Bool {
        journals.map { present.isDisjoint(with: $0) } ?? present.isEmpty
    }

    /// Returns the events with these ids.
    func events(among ids: WantedIds) -> [ObjectId] {
        events.flatMap { run in (0..<run.count).lazy.map { run.first.following($0) }.filter(ids.contains) }
    }
}
