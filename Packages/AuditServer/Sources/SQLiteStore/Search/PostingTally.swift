import AuditModel
import GRDB

/// Counts the postings of a term between any two times, without a walk along all of them.
///
/// The times of a term that many events have are cut into blocks of about as many postings each. A block says how many it has
/// from its start to the start of the next one; the first starts at the earliest time that there is. Blocks inside a stretch
/// are added up, and where the stretch starts or ends inside a block, its postings are counted. Blocks follow the postings and
/// not the calendar, so that a stretch costs the same when all events are of one hour, and nothing needs to be known of the bars
/// that anybody may ask for.
///
/// ```
/// postings   |||||  |  | |    |  || ||||||      |     || |
/// blocks    [4    )[4              )[4    )[4
/// stretch            ‹———————————————————————————›
/// ```
///
/// A time that alone has more postings than a block may have is a block by itself, so that no stretch ends inside it.
struct PostingTally {
    /// How many postings a block has when it is made, unless the index was opened with another number.
    static let usualSize: Int64 = 1024

    /// How many postings a block has when it is made; one of twice as many is cut.
    private let size: Int64
    private let neighbours: PreparedStatement
    private let change: PreparedStatement
    private let insert: PreparedStatement
    private let times: PreparedStatement
    private let clear: PreparedStatement

    /// Prepares for counting in one transaction.
    init(size: Int64, in database: Database) throws {
        self.size = size
        neighbours = try PreparedStatement(
            """
            SELECT start, count FROM Tally WHERE term = ?1 \
            AND start >= (SELECT max(start) FROM Tally WHERE term = ?1 AND start <= ?2) ORDER BY start LIMIT 2
            """,
            in: database
        )
        change = try PreparedStatement("UPDATE Tally SET count = ? WHERE term = ? AND start = ?", in: database)
        insert = try PreparedStatement("INSERT INTO Tally (term, start, count) VALUES (?, ?, ?)", in: database)
        times = try PreparedStatement(
            "SELECT time, count(*) FROM Posting WHERE term = ? AND time BETWEEN ? AND ? GROUP BY time ORDER BY time",
            in: database
        )
        clear = try PreparedStatement("DELETE FROM Tally WHERE term = ? AND start BETWEEN ? AND ?", in: database)
    }

    /// Whether a term with so many postings has blocks; the postings of others are counted each time.
    private func isTallied(_ count: Int64) -> Bool { count >= 2 * size }

    func reset() {
        for statement in [neighbours, change, insert, times, clear] { statement.reset() }
    }

    // MARK: - Writing

    /// Counts postings that were entered.
    ///
    /// - Parameters:
    ///   - added: Their times in order; the postings are there already.
    ///   - term: The term.
    ///   - count: How many postings it had before.
    /// - Throws: What the index throws.
    /// - Complexity: O(*n* log *m*) for *n* times and *m* blocks.
    func add(_ added: [Int64], to term: Int64, count: Int64) throws {
        if isTallied(count) {
            try update(added, by: 1, of: term)
        } else if isTallied(count + Int64(added.count)) {
            try cut(term, from: .min, through: .max)
        }
    }

    /// Counts postings that were removed.
    ///
    /// - Parameters:
    ///   - removed: Their times in order; the postings are gone already.
    ///   - term: The term.
    ///   - count: How many postings it had before.
    /// - Throws: What the index throws.
    func remove(_ removed: [Int64], from term: Int64, count: Int64) throws {
        guard isTallied(count) else { return }
        if isTallied(count - Int64(removed.count)) {
            try update(removed, by: -1, of: term)
        } else {
            try erase(term, from: .min, through: .max)
        }
    }

    private func update(_ changed: [Int64], by step: Int64, of term: Int64) throws {
        var rest = changed[...]
        while let first = rest.first {
            let (start, count, last) = try block(at: first, of: term)
            let here = rest.prefix { $0 <= last }
            rest = rest.dropFirst(here.count)
            let sum = count + step * Int64(here.count)
            // A block of one time is never cut.
            if sum >= 2 * size && start < last {
                try cut(term, from: start, through: last)
            } else {
                try run(change, sum, term, start)
            }
        }
    }

    /// Returns the block that a time lies in.
    private func block(at time: Int64, of term: Int64) throws -> (start: Int64, count: Int64, last: Int64) {
        neighbours.reset()
        defer { neighbours.reset() }
        try neighbours.bind(term, at: 1)
        try neighbours.bind(time, at: 2)
        guard try neighbours.step(), let start = neighbours.integer(0), let count = neighbours.integer(1) else {
            throw AuditServerError.unavailable(reason: "the search index is damaged")
        }
        let last = try neighbours.step() ? neighbours.integer(0).map { $0 - 1 } : nil
        return (start, count, last ?? .max)
    }

    /// Cuts a stretch of a term's times into blocks anew; it is one block or all of them.
    private func cut(_ term: Int64, from first: Int64, through last: Int64) throws {
        try erase(term, from: first, through: last)
        times.reset()
        defer { times.reset() }
        try times.bind(term, at: 1)
        try times.bind(first, at: 2)
        try times.bind(last, at: 3)
        var (start, count) = (first, Int64(0))
        while try times.step() {
            guard let time = times.integer(0), let events = times.integer(1) else { continue }
            if time > start && (count >= size || events >= size) {
                try enter(term, start, count)
                (start, count) = (time, 0)
            }
            count += events
            if events >= size && time < last {
                try enter(term, start, count)
                (start, count) = (time + 1, 0)
            }
        }
        try enter(term, start, count)
    }

    private func enter(_ term: Int64, _ start: Int64, _ count: Int64) throws { try run(insert, term, start, count) }

    private func erase(_ term: Int64, from first: Int64, through last: Int64) throws {
        try run(clear, term, first, last)
    }

    private func run(_ statement: PreparedStatement, _ numbers: Int64...) throws {
        statement.reset()
        for (column, number) in numbers.enumerated() { try statement.bind(number, at: Int32(column + 1)) }
        _ = try statement.step()
        statement.reset()
    }
}
