import EventModel

/// A scope that a journal must know: it is active, or committed and not stored yet.
struct JournaledScope: Sendable, Hashable {
    /// How a committed scope ended.
    struct End: Sendable, Hashable {
        /// The position behind its last capture.
        let position: Int
        let instant: EventInstant
    }

    let id: Int
    let activity: String
    let metadata: EventMetadata
    /// The position of its first capture.
    let start: Int
    /// How it ended; nil while it is active.
    var end: End?
    /// The id of its first event; nil before events are made.
    var firstEvent: ObjectId?
    /// How far its events are stored, or given up.
    var stored = StoredProgress()
    /// Whether the realm's file may hold writes of the scope.
    var isNoted = false

    /// Whether the scope wants a capture.
    func needs(_ position: Int) -> Bool {
        position >= start && position < (end?.position ?? .max)
    }

    /// Whether the scope wants any of these captures.
    func needs(_ positions: Range<Int>) -> Bool {
        positions.upperBound > start && positions.lowerBound < (end?.position ?? .max)
    }

    /// The marks that say all of this.
    var marks: [ScopeMark] {
        var marks = [ScopeMark.began(id: id, activity: activity, metadata: metadata, start: start)]
        if let end { marks.append(.committed(id: id, end: end.position, at: end.instant)) }
        if let firstEvent { marks.append(.numbered(id: id, firstEvent: firstEvent)) }
        if stored.count > 0 { marks.append(.stored(id: id, count: stored.count)) }
        if let last = stored.lastWrite { marks.append(.storedWrites(id: id, through: last)) }
        return marks
    }
}
