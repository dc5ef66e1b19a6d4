import EventModel
import GRDB

/// Walks along the postings of a search at one moment of the index.
struct PostingWalk {
    /// An event that has every term of a filter.
    struct Candidate {
        let cursor: SearchCursor
        let address: EventAddress
    }

    /// The postings of the rarest term are walked along, those of the others looked up.
    private let terms: [Int64]
    private let filter: EventFilter
    private let isNewestFirst: Bool

    /// Prepares a walk; nil when a term of the filter was never entered, so that nothing can fit.
    init?(_ filter: EventFilter, isNewestFirst: Bool, isCounting: Bool = false, in database: Database) throws {
        self.filter = filter
        self.isNewestFirst = isNewestFirst
        var found: [(id: Int64, count: Int64)] = []
        let statement = try PreparedStatement("SELECT id, count FROM Term WHERE kind = ? AND text = ?", in: database)
        defer { statement.reset() }
        for term in SearchTerm.all(of: filter, isCounting: isCounting) {
            statement.reset()
            try statement.bind(term.kind.rawValue, at: 1)
            try term.bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 2) }
            guard try statement.step(), let id = statement.integer(0), let count = statement.integer(1) else {
                return nil
            }
            found.append((id, count))
        }
        terms = found.sorted { $0.count < $1.count }.map(\.id)
    }

    /// The one term that tells everything about the filter; nil when there are several, or more is to be compared.
    var onlyTerm: Int64? {
        terms.count == 1 && filter.receivedSince == nil && filter.receivedUntil == nil && !isBounded ? terms.first : nil
    }

    /// Whether there may be events that fit and that who asks may not read.
    private var isBounded: Bool {
        !(filter.access.isUnlimited || filter.app.map(filter.access.includesAll) ?? false)
    }

    /// Calls the closure with each candidate behind a cursor until it returns false; see ``places(after:in:isLate:_:)``.
    func candidates(
        after cursor: SearchCursor?,
        in database: Database,
        isLate: () -> Bool,
        _ body: (Candidate) throws -> Bool
    ) throws -> SearchCursor? {
        let entry = try PreparedStatement(
            "SELECT value, sequence FROM Entry JOIN Shelf ON Shelf.id = shelf WHERE number = ?",
            in: database
        )
        defer { entry.reset() }
        return try places(after: cursor, in: database, isLate: isLate) { place in
            entry.reset()
            try entry.bind(place.number, at: 1)
            guard
                try entry.step(), let value = entry.text(0), let partition = try? PartitionID(value),
                let sequence = entry.integer(1)
            else { throw AuditServerError.unavailable(reason: "the search index is damaged") }
            let address = EventAddress(partition: partition, sequence: UInt64(clamping: sequence))
            return try body(Candidate(cursor: place, address: address))
        }
    }

    /// Calls the closure with each place behind a cursor until it returns false.
    ///
    /// - Parameters:
    ///   - cursor: Where to start; nil starts at the end that comes first.
    ///   - database: The index.
    ///   - isLate: Asked now and then; when it says so, the walk ends.
    ///   - body: Takes a place.
    /// - Returns: Where the walk ended early; nil when it came to its end.
    /// - Throws: What the closure throws, and `unavailable` when the index fails.
    func places(
        after cursor: SearchCursor?,
        in database: Database,
        isLate: () -> Bool,
        _ body: (SearchCursor) throws -> Bool
    ) throws -> SearchCursor? {
        guard let driver = terms.first else { return nil }
        let walk = try PreparedStatement(sql, in: database)
        let others = terms.dropFirst()
        let posting = try PreparedStatement(
            "SELECT 1 FROM Posting WHERE term = ? AND time = ? AND number = ?",
            in: database
        )
        let arrival = try PreparedStatement("SELECT received FROM Entry WHERE number = ?", in: database)
        var shelves = isBounded ? try ReadableShelves(filter.access, in: database) : nil
        defer {
            walk.reset()
            posting.reset()
            arrival.reset()
            shelves?.reset()
        }
        try walk.bind(driver, at: 1)
        try walk.bind(isNewestFirst ? .min : cursor?.time ?? .min, at: 2)
        try walk.bind(isNewestFirst ? cursor?.time ?? .max : .max, at: 3)
        try walk.bind(filter.since?.microseconds ?? .min, at: 4)
        // An end is exclusive, and times are whole microseconds.
        try walk.bind(filter.until.map { $0.microseconds - 1 } ?? .max, at: 5)

        var steps = 0
        while try walk.step() {
            let place = SearchCursor(time: walk.integer(0) ?? 0, number: walk.integer(1) ?? 0)
            // Several events may have the time of the cursor.
            if let cursor, isNewestFirst ? place >= cursor : place <= cursor { continue }
            let fits = try has(others, at: place, posting) && isReceived(place, arrival)
            if fits, try shelves?.include(place) ?? true, try !body(place) { return place }
            steps += 1
            if steps.isMultiple(of: 256), isLate() { return place }
        }
        return nil
    }

    private var sql: String {
        let order = isNewestFirst ? "DESC" : "ASC"
        return """
            SELECT time, number FROM Posting \
            WHERE term = ?1 AND time BETWEEN max(?2, ?4) AND min(?3, ?5) ORDER BY time \(order), number \(order)
            """
    }

    private func has(_ terms: ArraySlice<Int64>, at place: SearchCursor, _ posting: PreparedStatement) throws -> Bool {
        for term in terms {
            posting.reset()
            try posting.bind(term, at: 1)
            try posting.bind(place.time, at: 2)
            try posting.bind(place.number, at: 3)
            if try !posting.step() { return false }
        }
        return true
    }

    /// Returns whether an event was received in the time of the filter.
    private func isReceived(_ place: SearchCursor, _ arrival: PreparedStatement) throws -> Bool {
        if filter.receivedSince == nil && filter.receivedUntil == nil { return true }
        arrival.reset()
        try arrival.bind(place.number, at: 1)
        guard try arrival.step(), let received = arrival.integer(0) else {
            throw AuditServerError.unavailable(reason: "the search index is damaged")
        }
        if let since = filter.receivedSince, received < since.microseconds { return false }
        if let until = filter.receivedUntil, received >= until.microseconds { return false }
        return true
    }
}
