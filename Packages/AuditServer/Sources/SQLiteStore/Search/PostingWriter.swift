import GRDB

/// Enters postings in one transaction: sorted, so that neighbours are written together, with their terms and tallies.
struct PostingWriter {
    private struct Posting {
        let term: Int64
        let time: Int64
        let number: Int64
    }

    /// How many postings wait at most, which bounds the memory.
    private static let waitingCount = 65_536

    private let database: Database
    private let tally: PostingTally
    private let posting: PreparedStatement
    private let term: PreparedStatement
    private let newTerm: PreparedStatement
    private let count: PreparedStatement
    private let words: LabelWords
    private var ids: [SearchTerm: Int64] = [:]
    /// How many postings each term has that was used here, without those that wait.
    private var counts: [Int64: Int64] = [:]
    private var waiting: [Posting] = []

    init(tallySize: Int64, in database: Database) throws {
        self.database = database
        tally = try PostingTally(size: tallySize, in: database)
        posting = try PreparedStatement("INSERT INTO Posting (term, time, number) VALUES (?, ?, ?)", in: database)
        term = try PreparedStatement("SELECT id, count FROM Term WHERE kind = ? AND text = ?", in: database)
        newTerm = try PreparedStatement("INSERT INTO Term (kind, text, count) VALUES (?, ?, 0)", in: database)
        count = try PreparedStatement("UPDATE Term SET count = ? WHERE id = ?", in: database)
        words = try LabelWords(in: database)
    }

    /// Enters that an event has a term, once for both; returns the id of the term.
    @discardableResult
    mutating func enter(_ term: SearchTerm, at time: Int64, number: Int64) throws -> Int64 {
        if waiting.count >= Self.waitingCount { try flush() }
        let id = try id(of: term)
        waiting.append(Posting(term: id, time: time, number: number))
        return id
    }

    /// Returns the id of a term; nil when no event ever had it.
    mutating func known(_ found: SearchTerm) throws -> Int64? {
        if let id = ids[found] { return id }
        // A statement that was stepped stays open until it is reset.
        defer { term.reset() }
        term.reset()
        try term.bind(found.column, at: 1)
        try found.bytes.withUnsafeBytes { try term.bind(blob: $0, at: 2) }
        guard try term.step(), let id = term.integer(0), let events = term.integer(1) else { return nil }
        ids[found] = id
        counts[id] = events
        return id
    }

    private mutating func id(of found: SearchTerm) throws -> Int64 {
        if let id = try known(found) { return id }
        newTerm.reset()
        try newTerm.bind(found.column, at: 1)
        try found.bytes.withUnsafeBytes { try newTerm.bind(blob: $0, at: 2) }
        _ = try newTerm.step()
        newTerm.reset()
        let id = database.lastInsertedRowID
        if found.kind == .label { try words.enter(found, id) }
        ids[found] = id
        counts[id] = 0
        return id
    }

    /// Writes what waits.
    mutating func flush() throws {
        waiting.sort { ($0.term, $0.time, $0.number) < ($1.term, $1.time, $1.number) }
        var rest = waiting[...]
        while let id = rest.first?.term {
            let group = rest.prefix { $0.term == id }
            rest = rest.dropFirst(group.count)
            for place in group {
                posting.reset()
                try posting.bind(place.term, at: 1)
                try posting.bind(place.time, at: 2)
                try posting.bind(place.number, at: 3)
                _ = try posting.step()
            }
            // A statement that is not reset would keep what others read of the table as it was.
            posting.reset()
            let before = counts[id] ?? 0
            try tally.add(group.map(\.time), to: id, count: before)
            try set(before + Int64(group.count), of: id)
        }
        waiting.removeAll(keepingCapacity: true)
        tally.reset()
    }

    /// Removes the counts of postings that were taken away.
    ///
    /// - Parameters:
    ///   - times: Their times in order.
    ///   - term: Their term.
    ///   - before: How many postings the term had.
    /// - Throws: What the index throws.
    mutating func discount(_ times: [Int64], of term: Int64, before: Int64) throws {
        try tally.remove(times, from: term, count: before)
        try set(before - Int64(times.count), of: term)
    }

    private mutating func set(_ events: Int64, of id: Int64) throws {
        counts[id] = events
        count.reset()
        try count.bind(events, at: 1)
        try count.bind(id, at: 2)
        _ = try count.step()
        count.reset()
    }
}
