public import EventModel
import GRDB

/// How many events of a search happened when.
public struct SearchVolume: Sendable, Hashable, Codable {
    /// When the first bar starts, ISO 8601; nil when there are no events.
    public let start: EventInstant?
    /// How long each bar is, in microseconds.
    public let width: Int64
    /// The number of events of each bar.
    public let counts: [Int64]
    /// Whether the numbers are exact.
    ///
    /// They are not when the time for counting was not enough, when texts are looked for, which are not counted, or an object
    /// whose key others may have too.
    public let isExact: Bool
}

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
    ///   - clock: What ends a count that takes long.
    /// - Returns: The bars, the earliest first.
    /// - Throws: `unavailable` when the index fails.
    /// - Complexity: O(*n*) in the events that have the rarest value of the filter.
    public func volume(of filter: EventFilter, bars: Int, clock: any EventClock) async throws -> SearchVolume {
        let isLate = Self.lateness(clock)
        return try await SQLiteFailure.naming {
            try await database.read { database in
                let nothing = SearchVolume(start: nil, width: 0, counts: [], isExact: true)
                guard
                    let oldest = try Self.end(of: filter, isNewest: false, in: database, isLate),
                    let newest = try Self.end(of: filter, isNewest: true, in: database, isLate),
                    let walk = try PostingWalk(filter, isNewestFirst: true, isCounting: true, in: database)
                else { return nothing }
                let first = filter.since?.microseconds ?? oldest
                let last = max(first, filter.until.map { $0.microseconds - 1 } ?? newest)
                // A device's clock may say anything, so that the span may need all 64 bits.
                let width = max(1, UInt64(bitPattern: last &- first) / UInt64(bars) + 1)
                var counts = [Int64](repeating: 0, count: bars)
                func add(_ events: Int64, at time: Int64) {
                    guard time >= first else { return }
                    let bar = UInt64(bitPattern: time &- first) / width
                    if bar < UInt64(bars) { counts[Int(bar)] += events }
                }
                var stop: SearchCursor?
                if let term = walk.onlyTerm {
                    try Self.count(term, from: first, through: last, width: width, in: database, add)
                } else {
                    stop = try walk.places(after: nil, in: database, isLate: isLate) { place in
                        add(1, at: place.time)
                        return true
                    }
                }
                return SearchVolume(
                    start: EventInstant(microseconds: first),
                    width: Int64(clamping: width),
                    counts: counts,
                    isExact: stop == nil && filter.isCountedExactly
                )
            }
        }
    }

    /// Counts the events of one term inside SQLite, which is ten times as fast as looking at each here.
    private static func count(
        _ term: Int64,
        from first: Int64,
        through last: Int64,
        width: UInt64,
        in database: Database,
        _ add: (_ events: Int64, _ time: Int64) -> Void
    ) throws {
        let statement = try PreparedStatement(
            """
            SELECT min(time), count(*) FROM Posting WHERE term = ? AND time BETWEEN ? AND ? \
            GROUP BY (time - ?2) / ?
            """,
            in: database
        )
        defer { statement.reset() }
        try statement.bind(term, at: 1)
        try statement.bind(first, at: 2)
        try statement.bind(last, at: 3)
        try statement.bind(Int64(clamping: width), at: 4)
        while try statement.step() {
            if let time = statement.integer(0), let events = statement.integer(1) { add(events, time) }
        }
    }

    private static func end(
        of filter: EventFilter,
        isNewest: Bool,
        in database: Database,
        _ isLate: () -> Bool
    ) throws -> Int64? {
        var time: Int64?
        let walk = try PostingWalk(filter, isNewestFirst: isNewest, isCounting: true, in: database)
        _ = try walk?
            .places(after: nil, in: database, isLate: isLate) { place in
                time = place.time
                return false
            }
        return time
    }
}
