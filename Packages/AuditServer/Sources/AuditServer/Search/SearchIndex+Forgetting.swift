import EventModel
import GRDB

extension SearchIndex {
    /// How many erasures are read at once.
    private static let erasureCount = 100

    /// Removes what was erased since the last time, with the values that no other event has.
    ///
    /// An erasure counts once it has ended. Other servers erase, too, so that the store is asked and not told.
    ///
    /// - Throws: `unavailable` when the store or the index fails.
    /// - Complexity: O(*n*) in all postings when something was erased.
    func forget(from store: any EventStore) async throws {
        var last = try await SQLiteFailure.naming { try await database.read(Self.lastErasure) }
        while true {
            let page = try await store.erasures(after: last, limit: Self.erasureCount)
            let ended = page.prefix { $0.result != nil }
            guard let newest = ended.last?.number else { return }
            var ranges: [ErasedRange] = []
            for erasure in ended { ranges += try await store.ranges(of: erasure.number).ranges }
            let gone = ErasedRanges(ranges)
            try await SQLiteFailure.naming {
                try await database.write { try Self.remove(gone, in: $0) }
                // What was removed lies in the log beside the index, too.
                try await database.barrierWriteWithoutTransaction { _ = try $0.checkpoint(.truncate) }
                try await database.write { database in
                    try database.execute(sql: "UPDATE Forgotten SET erasure = ? WHERE id = 0", arguments: [newest])
                }
            }
            if ended.count < Self.erasureCount { return }
            last = newest
        }
    }

    private static func lastErasure(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT erasure FROM Forgotten WHERE id = 0") ?? 0
    }

    private static func remove(_ gone: ErasedRanges, in database: Database) throws {
        let byPartition = Dictionary(grouping: gone.ranges, by: \.partition.value)
        guard !byPartition.isEmpty else { return }
        try database.execute(
            sql: """
                CREATE TEMP TABLE IF NOT EXISTS Doomed (number INTEGER PRIMARY KEY);
                DELETE FROM temp.Doomed;
                """
        )
        try mark(byPartition, in: database)
        try database.execute(
            sql: """
                CREATE TEMP TABLE Gone AS SELECT term, time, number FROM Posting
                WHERE number IN (SELECT number FROM temp.Doomed);
                DELETE FROM Posting WHERE (term, time, number) IN (SELECT term, time, number FROM temp.Gone);
                UPDATE Term SET count = Term.count - found.events
                FROM (SELECT term, count(*) AS events FROM temp.Gone GROUP BY term) AS found WHERE id = found.term;
                DELETE FROM Term WHERE count <= 0 AND id IN (SELECT term FROM temp.Gone);
                DELETE FROM Entry WHERE number IN (SELECT number FROM temp.Doomed);
                DROP TABLE temp.Gone;
                """
        )
    }

    /// Enters the numbers of events into the table `Doomed`, in one walk along all entries.
    private static func mark(_ gone: [String: [ErasedRange]], in database: Database) throws {
        var shelves: [Int64: [ErasedRange]] = [:]
        for (partition, ranges) in gone {
            let shelf = try Int64.fetchOne(
                database,
                sql: "SELECT id FROM Shelf WHERE value = ?",
                arguments: [partition]
            )
            if let shelf { shelves[shelf] = ranges }
        }
        let entries = try PreparedStatement("SELECT number, shelf, sequence FROM Entry", in: database)
        let doomed = try PreparedStatement("INSERT INTO temp.Doomed (number) VALUES (?)", in: database)
        defer {
            entries.reset()
            doomed.reset()
        }
        while try entries.step() {
            guard let number = entries.integer(0), let ranges = entries.integer(1).flatMap({ shelves[$0] }),
                let sequence = entries.integer(2).map(UInt64.init(clamping:)),
                ranges.contains(where: { $0.first <= sequence && sequence <= $0.last })
            else { continue }
            doomed.reset()
            try doomed.bind(number, at: 1)
            _ = try doomed.step()
        }
    }
}
