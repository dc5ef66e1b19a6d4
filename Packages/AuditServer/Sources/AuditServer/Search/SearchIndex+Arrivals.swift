import EventModel
import GRDB

/// Events that arrived after others.
struct SearchArrivals: Sendable {
    /// Those that fit, in the order of their arrival.
    let hits: [SearchPage.Hit]
    /// The last event that was looked at.
    let last: Int64
}

extension SearchIndex {
    /// How many events are looked at, at once.
    private static let arrivalCount = 500

    /// Returns the number of the event that was entered last; 0 when there is none.
    func lastNumber() async throws -> Int64 {
        try await SQLiteFailure.naming {
            try await database.read { try Int64.fetchOne($0, sql: "SELECT max(number) FROM Entry") } ?? 0
        }
    }

    /// Returns what was entered after an event and fits a filter.
    ///
    /// - Throws: `unavailable` when the store or the index fails.
    func arrivals(after last: Int64, _ filter: EventFilter, in store: any EventStore) async throws -> SearchArrivals {
        let found = try await SQLiteFailure.naming {
            try await database.read { database in
                let statement = try PreparedStatement(
                    """
                    SELECT number, time, value, sequence FROM Entry JOIN Shelf ON Shelf.id = shelf \
                    WHERE number > ?1 AND (?3 IS NULL OR device = ?3) ORDER BY number LIMIT ?2
                    """,
                    in: database
                )
                defer { statement.reset() }
                try statement.bind(last, at: 1)
                try statement.bind(Int64(Self.arrivalCount), at: 2)
                if let device = filter.device { try device.withUnsafeBytes { try statement.bind(blob: $0, at: 3) } }
                var found: [PostingWalk.Candidate] = []
                while try statement.step() {
                    guard
                        let number = statement.integer(0), let time = statement.integer(1),
                        let partition = statement.text(2).flatMap({ try? PartitionID($0) }),
                        let sequence = statement.integer(3)
                    else { throw AuditServerError.unavailable(reason: "the search index is damaged") }
                    found.append(
                        PostingWalk.Candidate(
                            cursor: SearchCursor(time: time, number: number),
                            address: EventAddress(partition: partition, sequence: UInt64(clamping: sequence))
                        )
                    )
                }
                return found
            }
        }
        let page = try await hits(found, in: store, maximumBytes: Self.pageBytes)
        return SearchArrivals(
            hits: page.hits.filter { filter.fits($0) },
            last: found.prefix(page.looked).last?.cursor.number ?? last
        )
    }
}
