public import AuditModel
public import EventModel
import GRDB

extension SearchIndex {
    /// Counts what the events of a filter have in common.
    ///
    /// - Parameters:
    ///   - filter: Which events.
    ///   - limit: How many values of a kind are named, those that most events have.
    ///   - clock: What ends a count that takes long; the newest events were counted then.
    /// - Returns: The counts.
    /// - Throws: `unavailable` when the index fails.
    /// - Complexity: O(*n*) in the events that have the rarest value of the filter.
    public func summary(of filter: EventFilter, limit: Int, clock: any EventClock) async throws -> SearchSummary {
        let isLate = Self.lateness(clock)
        return try await SQLiteFailure.naming {
            try await database.read { database in
                var counted = try SummaryWalk(in: database)
                let stop = try PostingWalk(filter, isNewestFirst: true, isCounting: true, in: database)?
                    .places(after: nil, in: database, isLate: isLate) { place in
                        try counted.add(place)
                        return true
                    }
                let isExact = try stop == nil && filter.isCountedExactly && !PostingWalk.mayMiss(filter, in: database)
                return try counted.summary(limit: limit, isExact: isExact)
            }
        }
    }
}
