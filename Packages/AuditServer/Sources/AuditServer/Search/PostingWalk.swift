import EventModel
import GRDB

/// Walks along the postings of a search at one moment of the index.
struct PostingWalk {
    /// An event that has every term of a filter.
    struct Candidate {
        let cursor: SearchCursor
        let address: EventAddress
    }

    /// The postings of the rarest term, which is the first, are walked along, and those of the others looked up.
    private let terms: [Int64]
    private let filter: EventFilter
    private let isNewestFirst: Bool

    /// Prepares a walk; nil when a term of the filter was never entered, so that nothing can fit.
    init?(_ filter: EventFilter, isNewestFirst: Bool, isCounting: Bool = false, in database: Database) throws {
        self.filter = filter
        self.isNewestFirst = isNewestFirst
        let statement = try PreparedStatement("SELECT id, count FROM Term WHERE kind = ? AND text = ?", in: database)
        defer { statement.reset() }
        func find(_ term: SearchTerm) throws -> (id: Int64, count: Int64)? {
            statement.reset()
            try statement.bind(term.column, at: 1)
            try term.bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 2) }
            guard try statement.step(), let id = statement.integer(0), let count = statement.integer(1) else {
                return nil
            }
            return (id, count)
        }
        var found: [(id: Int64, count: Int64)] = []
        for term in SearchTerm.all(of: filter, isCounting: isCounting) {
            guard let term = try find(term) else { return nil }
            found.append(term)
        }
        found.sort { $0.count < $1.count }
        driverCount = found[0].count
        // What every event has need not be looked up, such as the app where there is one.
        let whole = try find(SearchTerm(.all, in: filter.realm))?.count
        terms = found.enumerated().filter { $0.offset == 0 || $0.element.count != whole }.map(\.element.id)
    }

    /// The rarest term; there is one.
    var driver: Int64 { terms[0] }

    /// How many events have the rarest term.
    let driverCount: Int64

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
        let walk = try PreparedStatement(sql, in: database)
        let arrival = try PreparedStatement("SELECT received FROM Entry WHERE number = ?", in: database)
        var shelves = isBounded ? try ReadableShelves(filter.access, in: database) : nil
        defer {
            walk.reset()
            arrival.reset()
            shelves?.reset()
        }
        try walk.bind(driver, at: 1)
        try walk.bind(isNewestFirst ? .min : cursor?.time ?? .min, at: 2)
        try walk.bind(isNewestFirst ? cursor?.time ?? .max : .max, at: 3)
        try walk.bind(filter.since?.microseconds ?? .min, at: 4)
        // An end is exclusive, and times are whole microseconds.
        try walk.bind(filter.until.map { $0.microseconds - 1 } ?? .max, at: 5)
        for (offset, term) in terms.dropFirst().enumerated() { try walk.bind(term, at: Int32(6 + offset)) }

        var steps = 0
        while try walk.step() {
            let place = SearchCursor(time: walk.integer(0) ?? 0, number: walk.integer(1) ?? 0)
            // Several events may have the time of the cursor.
            if let cursor, isNewestFirst ? place >= cursor : place <= cursor { continue }
            let fits = try walk.integer(2) == 1 && isReceived(place, arrival)
            if fits, try shelves?.include(place) ?? true, try !body(place) { return place }
            steps += 1
            if steps.isMultiple(of: 256), isLate() { return place }
        }
        return nil
    }

    /// Selects every posting of the rarest term with whether the event has the others, so that a walk that finds nothing can end.
    private var sql: String {
        let order = isNewestFirst ? "DESC" : "ASC"
        let others = terms.indices.dropFirst()
            .map { index in
                """
                EXISTS (SELECT 1 FROM Posting AS other WHERE other.term = ?\(5 + index) \
                AND other.time = Posting.time AND other.number = Posting.number)
                """
            }
        return """
            SELECT time, number, \((["1"] + others).joined(separator: " AND ")) FROM Posting \
            WHERE term = ?1 AND time BETWEEN max(?2, ?4) AND min(?3, ?5) ORDER BY time \(order), number \(order)
            """
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
