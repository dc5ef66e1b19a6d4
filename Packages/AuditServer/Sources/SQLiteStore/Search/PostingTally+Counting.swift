import GRDB

extension PostingTally {
    /// Counts the postings of a term in bars of equal length.
    ///
    /// - Parameters:
    ///   - term: The term.
    ///   - bars: The bars, to which the counts are added.
    ///   - database: The index.
    /// - Throws: What the index throws.
    /// - Complexity: O(*n* + *m*) for *n* blocks and *m* bars, each of which may count the postings of a block.
    static func count(_ term: Int64, in bars: inout VolumeBars, _ database: Database) throws {
        // One block behind the bars says where the last one inside them ends.
        let blocks = try PreparedStatement(
            """
            SELECT start, count FROM Tally WHERE term = ?1 \
            AND start >= (SELECT max(start) FROM Tally WHERE term = ?1 AND start <= ?2) \
            AND start <= ifnull((SELECT min(start) FROM Tally WHERE term = ?1 AND start > ?3), ?3) ORDER BY start
            """,
            in: database
        )
        let postings = try PreparedStatement(
            "SELECT count(*) FROM Posting WHERE term = ? AND time BETWEEN ? AND ?",
            in: database
        )
        defer {
            blocks.reset()
            postings.reset()
        }
        func add(from start: Int64, through last: Int64, count: Int64?) throws {
            try bars.add(from: start, through: last, count: count) { first, last in
                postings.reset()
                try postings.bind(term, at: 1)
                try postings.bind(first, at: 2)
                try postings.bind(last, at: 3)
                return try postings.step() ? postings.integer(0) ?? 0 : 0
            }
        }
        try blocks.bind(term, at: 1)
        try blocks.bind(bars.first, at: 2)
        try blocks.bind(bars.last, at: 3)
        // A term without blocks is as one block of which nobody knows how many postings it has.
        var block: (start: Int64, count: Int64?) = (.min, nil)
        while try blocks.step() {
            guard let start = blocks.integer(0), let count = blocks.integer(1) else { continue }
            if start > block.start { try add(from: block.start, through: start - 1, count: block.count) }
            block = (start, count)
        }
        try add(from: block.start, through: .max, count: block.count)
    }
}
