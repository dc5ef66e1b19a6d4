public import AuditModel
public import EventModel
import GRDB

extension SearchIndex {
    /// How long counting may take, in nanoseconds.
    private static let volumeNanoseconds: UInt64 = 400_000_000

    /// Returns what says when counting has taken too long, from now on.
    static func lateness(_ clock: any EventClock) -> @Sendable () -> Bool {
        let start = clock.now().monotonicNanoseconds
        return {
            let now = clock.now().monotonicNanoseconds
            return now > start && now - start > volumeNanoseconds
        }
    }

    /// Counts the events of a filter in bars of equal length.
    ///
    /// - Precondition: There are two bars or more.
    /// - Parameters:
    ///   - filter: Which events; without times, the bars span all of them.
    ///   - bars: The number of bars.
    ///   - clock: What ends a count that takes long; the newest events were counted then.
    /// - Returns: The bars, the earliest first.
    /// - Throws: `unavailable` when the index fails.
    /// - Complexity: O(*n*) in the bars and in the thousands of events for a filter of one value, or of none; for others in
    ///   the events that have the rarest value of the filter.
    public func volume(of filter: EventFilter, bars: Int, clock: any EventClock) async throws -> SearchVolume {
        let isLate = Self.lateness(clock)
        return try await SQLiteFailure.naming {
            try await database.read { database in
                var counts: [VolumeCount] = []
                for part in filter.parts {
                    if let count = try VolumeCount(of: part, in: database, isLate) { counts.append(count) }
                }
                let isExact =
                    try filter.isCountedExactly && !counts.contains { $0.isLate }
                    && !PostingWalk.mayMiss(filter, in: database)
                guard let oldest = counts.map(\.oldest).min(), let newest = counts.map(\.newest).max() else {
                    return SearchVolume(start: nil, width: 0, counts: [], isExact: isExact)
                }
                let first = filter.since?.microseconds ?? oldest
                let last = max(first, filter.until.map { $0.microseconds - 1 } ?? newest)
                var volume = VolumeBars(from: first, through: last, bars: bars)
                for count in counts { try count.add(to: &volume, in: database) }
                return SearchVolume(
                    start: EventInstant(microseconds: first),
                    width: Int64(clamping: volume.width),
                    counts: volume.counts,
                    isExact: isExact
                )
            }
        }
    }
}

extension EventFilter {
    /// The same filter for each app alone of somebody who may read all events of some apps: what an app has is counted already.
    fileprivate var parts: [EventFilter] {
        guard app == nil, let apps = access.apps, apps.allSatisfy(access.includesAll) else { return [self] }
        return apps.subtracting([TrailEvent.app])
            .map { app in
                var part = self
                part.app = app
                return part
            }
    }
}
