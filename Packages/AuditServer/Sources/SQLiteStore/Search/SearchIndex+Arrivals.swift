public import AuditModel
import EventModel
import GRDB

extension SearchIndex {
    /// How many events are looked at, at once.
    private static let arrivalCount = 500
    /// How many entries are passed over for them that may not be read.
    private static let passedCount = 20_000

    /// Returns the number that tells this index apart from others, and from itself before it was made anew.
    ///
    /// - Throws: `unavailable` when the index fails.
    public func generation() async throws -> UInt64 {
        try await SQLiteFailure.naming {
            try await database.read { database in
                guard let name = try Int64.fetchOne(database, sql: "SELECT name FROM Generation WHERE id = 0") else {
                    throw AuditServerError.unavailable(reason: "the search index is damaged")
                }
                return UInt64(bitPattern: name)
            }
        }
    }

    /// Returns the number of the event that was entered last; 0 when there is none.
    public func lastNumber() async throws -> Int64 {
        try await SQLiteFailure.naming {
            try await database.read { try Int64.fetchOne($0, sql: "SELECT max(number) FROM Entry") } ?? 0
        }
    }

    /// Returns what was entered after an event and fits a filter.
    ///
    /// What may not be read is passed over, so that it neither takes room nor tells that it came.
    ///
    /// - Throws: `unavailable` when the store or the index fails.
    public func arrivals(after last: Int64, _ filter: EventFilter, in store: any EventReading) async throws
        -> SearchArrivals
    {
        let (found, looked) = try await SQLiteFailure.naming {
            try await database.read { try Self.arrived(after: last, filter, in: $0) }
        }
        let page = try await hits(found, in: store, maximumBytes: SearchRange.pageBytes)
        let isWhole = page.looked == found.count
        return SearchArrivals(
            hits: page.hits.filter { filter.fits($0) },
            last: isWhole ? looked : found.prefix(page.looked).last?.cursor.number ?? last,
            isMore: !isWhole || found.count == Self.arrivalCount
        )
    }

    private static func arrived(
        after last: Int64,
        _ filter: EventFilter,
        in database: Database
    ) throws -> (found: [PostingWalk.Candidate], looked: Int64) {
        let statement = try PreparedStatement(
            """
            SELECT number, time, value, sequence, shelf FROM Entry JOIN Shelf ON Shelf.id = shelf \
            WHERE number > ?1 AND (?3 IS NULL OR device = ?3) ORDER BY number LIMIT ?2
            """,
            in: database
        )
        defer { statement.reset() }
        try statement.bind(last, at: 1)
        try statement.bind(Int64(passedCount), at: 2)
        if let device = filter.device { try device.withUnsafeBytes { try statement.bind(blob: $0, at: 3) } }
        var shelves = try ReadableShelves(filter.access, in: database)
        defer { shelves.reset() }
        var found: [PostingWalk.Candidate] = []
        var looked = last
        while found.count < arrivalCount, try statement.step() {
            guard
                let number = statement.integer(0), let time = statement.integer(1),
                let partition = statement.text(2).flatMap({ try? PartitionID($0) }),
                let sequence = statement.integer(3), let shelf = statement.integer(4)
            else { throw AuditServerError.unavailable(reason: "the search index is damaged") }
            looked = number
            guard try filter.access.isUnlimited || shelves.include(shelf: shelf) else { continue }
            found.append(
                PostingWalk.Candidate(
                    cursor: SearchCursor(time: time, number: number),
                    address: EventAddress(partition: partition, sequence: UInt64(clamping: sequence))
                )
            )
        }
        return (found, looked)
    }
}
