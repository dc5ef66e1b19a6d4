import AuditModel
import EventModel
import GRDB

/// What is known of a filter's events before they are counted in bars: how they are found, and how far they reach.
struct VolumeCount {
    private indirect enum Source {
        /// All postings of a term.
        case term(Int64)
        /// The times of events, in any order.
        case times([Int64])
        /// The events of a wider filter without those of others.
        case difference(VolumeCount, [VolumeCount])
    }

    private let source: Source
    /// The time of the first event.
    let oldest: Int64
    /// The time of the last event.
    let newest: Int64
    /// Whether the time for counting was not enough, so that some of the oldest events are missing.
    let isLate: Bool

    /// Looks for the events of a filter; nil when there are none.
    ///
    /// - Complexity: O(log *n*) in all events when one term tells everything about the filter, else O(*n*) in those of the
    ///   rarest term, or in those that lack a value which most events have.
    init?(of filter: EventFilter, in database: Database, _ isLate: () -> Bool) throws {
        guard let walk = try PostingWalk(filter, isNewestFirst: true, isCounting: true, in: database) else {
            return nil
        }
        guard let reach = try Self.reach(of: walk.driver, filter, in: database) else { return nil }
        if let term = walk.onlyTerm {
            (source, oldest, newest, self.isLate) = (.term(term), reach.lowerBound, reach.upperBound, false)
            return
        }
        if let others = try OtherValues(than: filter, fewerThan: walk.driverCount, in: database) {
            guard let found = try Self(of: filter, without: others, reach, in: database, isLate) else { return nil }
            self = found
            return
        }
        var times: [Int64] = []
        let stop = try walk.places(after: nil, in: database, isLate: isLate) { place in
            times.append(place.time)
            return true
        }
        if times.isEmpty && stop == nil { return nil }
        source = .times(times)
        // Where the walk ended early, the bars reach as far as there may be events.
        oldest = stop == nil ? times.last ?? reach.lowerBound : reach.lowerBound
        newest = times.first ?? reach.upperBound
        self.isLate = stop != nil
    }

    /// Counts the events of a filter as those that have any of the values of a kind, without those that have others.
    private init?(
        of filter: EventFilter,
        without others: OtherValues,
        _ reach: ClosedRange<Int64>,
        in database: Database,
        _ isLate: () -> Bool
    ) throws {
        var isComplete = true
        func end(isNewestFirst: Bool) throws -> Int64? {
            var time: Int64?
            let walk = try PostingWalk(filter, isNewestFirst: isNewestFirst, isCounting: true, in: database)
            let stop = try walk?
                .places(after: nil, in: database, isLate: isLate) { place in
                    time = place.time
                    return false
                }
            if stop != nil && time == nil { isComplete = false }
            return time
        }
        let (first, last) = (try end(isNewestFirst: false), try end(isNewestFirst: true))
        if isComplete && first == nil { return nil }
        guard let wider = try VolumeCount(of: others.wider, in: database, isLate) else { return nil }
        let rests = try others.filters.compactMap { try VolumeCount(of: $0, in: database, isLate) }
        source = .difference(wider, rests)
        oldest = first ?? reach.lowerBound
        newest = last ?? reach.upperBound
        self.isLate = !isComplete || wider.isLate || rests.contains(where: \.isLate)
    }

    /// Returns the times of the first and the last event that has a term, within the times of a filter.
    private static func reach(
        of term: Int64,
        _ filter: EventFilter,
        in database: Database
    ) throws -> ClosedRange<Int64>? {
        let ends = try PreparedStatement(
            """
            SELECT (SELECT min(time) FROM Posting WHERE term = ?1 AND time BETWEEN ?2 AND ?3), \
            (SELECT max(time) FROM Posting WHERE term = ?1 AND time BETWEEN ?2 AND ?3)
            """,
            in: database
        )
        defer { ends.reset() }
        try ends.bind(term, at: 1)
        try ends.bind(filter.since?.microseconds ?? .min, at: 2)
        try ends.bind(filter.until.map { $0.microseconds - 1 } ?? .max, at: 3)
        guard try ends.step(), let first = ends.integer(0), let last = ends.integer(1) else { return nil }
        return first...last
    }

    /// Counts the events in bars.
    func add(to bars: inout VolumeBars, in database: Database) throws {
        switch source {
        case .term(let term): try PostingTally.count(term, in: &bars, database)
        case .times(let times): for time in times { bars.add(1, at: time) }
        case .difference(let wider, let rests):
            try wider.add(to: &bars, in: database)
            var fewer = bars.emptied
            for rest in rests { try rest.add(to: &fewer, in: database) }
            bars.subtract(fewer)
        }
    }
}
