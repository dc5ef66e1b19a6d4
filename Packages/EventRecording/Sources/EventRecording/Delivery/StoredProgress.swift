import EventModel

/// How far the events of a scope are stored, in the order in which they are made.
struct StoredProgress: Sendable, Hashable {
    /// How many events are stored of those that are numbered within the scope.
    var count = 0
    /// The last event that is stored of those that the realm's file names; nil when none is.
    var lastWrite: ObjectId?

    /// Whether no event is stored.
    var isEmpty: Bool { count == 0 && lastWrite == nil }

    /// Counts an event.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - number: Its number within the scope; nil for one that the realm's file names.
    mutating func add(_ id: ObjectId, number: Int?) {
        if let number { count = number + 1 } else { lastWrite = id }
    }

    /// Whether an event is among those that are stored.
    func includes(_ id: ObjectId, number: Int?) -> Bool {
        if let number { return number < count }
        return lastWrite.map { id <= $0 } ?? false
    }
}
