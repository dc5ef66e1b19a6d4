import AuditModel
import EventModel
import GRDB

/// Walks along the postings of a search at one moment of the index.
struct PostingWalk {
    /// An event that has every term of a filter.
    struct Candidate {
        let cursor: SearchCursor
        let address: EventAddress
    }

    /// What every event that fits has: one of some terms.
    private struct Condition {
        /// The term of the value, and the one of events that may have the value without a term.
        var terms: [Int64]
        /// How many events have any of them.
        var count: Int64
        /// How many events have the term of the value.
        var valueCount: Int64
    }

    /// The postings of the rarest condition, which is the first, are walked along, and those of the others looked up.
    private let conditions: [Condition]
    private let filter: EventFilter
    private let isNewestFirst: Bool

    /// Prepares a walk; nil when a term of the filter was never entered, so that nothing can fit.
    ///
    /// Events with more objects than terms fit every filter for an object, and have to be read. Who counts, and reads none, leaves
    /// them out, see ``mayMiss(_:in:)``.
    init?(_ filter: EventFilter, isNewestFirst: Bool, isCounting: Bool = false, in database: Database) throws {
        self.filter = filter
        self.isNewestFirst = isNewestFirst
        let terms = try TermLookUp(in: database)
        defer { terms.reset() }
        let more = isCounting ? nil : try terms.find(SearchTerm(.more, in: filter.realm))
        var found: [Condition] = []
        for term in SearchTerm.all(of: filter, isCounting: isCounting) {
            let value = try terms.find(term)
            let others = term.kind.isBounded ? more : nil
            if value == nil && others == nil { return nil }
            found.append(
                Condition(
                    terms: [value?.id, others?.id].compactMap(\.self),
                    count: (value?.count ?? 0) + (others?.count ?? 0),
                    valueCount: value?.count ?? 0
                )
            )
        }
        found.sort { $0.count < $1.count }
        driverCount = found[0].count
        // What every event has need not be looked up, such as the app where there is one.
        let whole = try terms.find(SearchTerm(.all, in: filter.realm))?.count
        conditions = found.enumerated().filter { $0.offset == 0 || $0.element.valueCount != whole }.map(\.element)
    }

    /// Returns whether a count by terms alone may miss events: some show more objects than they have terms.
    static func mayMiss(_ filter: EventFilter, in database: Database) throws -> Bool {
        guard SearchTerm.all(of: filter, isCounting: true).contains(where: \.kind.isBounded) else { return false }
        let terms = try TermLookUp(in: database)
        defer { terms.reset() }
        return try terms.find(SearchTerm(.more, in: filter.realm)).map { $0.count > 0 } ?? false
    }

    /// The rarest term; there is one.
    var driver: Int64 { conditions[0].terms[0] }

    /// How many events have the rarest term.
    let driverCount: Int64

    /// The one term that tells everything about the filter; nil when there are several, or more is to be compared.
    var onlyTerm: Int64? {
        guard conditions.count == 1, conditions[0].terms.count == 1 else { return nil }
        return filter.receivedSince == nil && filter.receivedUntil == nil && !isBounded ? driver : nil
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
        var walk = PostingMerge(
            try conditions[0].terms.enumerated()
                .map { try statement($0.offset, walking: $0.element, after: cursor, in: database) },
            isNewestFirst: isNewestFirst
        )
        let arrival = try PreparedStatement("SELECT received FROM Entry WHERE number = ?", in: database)
        var shelves = isBounded ? try ReadableShelves(filter.access, in: database) : nil
        defer {
            walk.reset()
            arrival.reset()
            shelves?.reset()
        }
        var steps = 0
        while let (place, hasOthers) = try walk.next() {
            // Several events may have the time of the cursor.
            if let cursor, isNewestFirst ? place >= cursor : place <= cursor { continue }
            let fits = try hasOthers && isReceived(place, arrival)
            if fits, try shelves?.include(place) ?? true, try !body(place) { return place }
            steps += 1
            if steps.isMultiple(of: 256), isLate() { return place }
        }
        return nil
    }

    /// Selects the postings of a term with whether the event meets the other conditions, so that a walk that finds nothing can end.
    // The number tells the statements of one walk apart: those of one text are one in the connection's cache.
    private func statement(
        _ number: Int,
        walking term: Int64,
        after cursor: SearchCursor?,
        in database: Database
    ) throws -> PreparedStatement {
        let order = isNewestFirst ? "DESC" : "ASC"
        var others: [Int64] = []
        var tests = ["1"]
        for condition in conditions.dropFirst() {
            let places = condition.terms.indices.map { "?\(6 + others.count + $0)" }.joined(separator: ", ")
            others += condition.terms
            tests.append(
                """
                EXISTS (SELECT 1 FROM Posting AS other WHERE other.term IN (\(places)) \
                AND other.time = Posting.time AND other.number = Posting.number)
                """
            )
        }
        let walk = try PreparedStatement(
            """
            SELECT time, number, \(tests.joined(separator: " AND ")) FROM Posting \
            WHERE term = ?1 AND time BETWEEN max(?2, ?4) AND min(?3, ?5) ORDER BY time \(order), number \(order) \
            /* walk \(number) */
            """,
            in: database
        )
        try walk.bind(term, at: 1)
        try walk.bind(isNewestFirst ? .min : cursor?.time ?? .min, at: 2)
        try walk.bind(isNewestFirst ? cursor?.time ?? .max : .max, at: 3)
        try walk.bind(filter.since?.microseconds ?? .min, at: 4)
        // An end is exclusive, and times are whole microseconds.
        try walk.bind(filter.until.map { $0.microseconds - 1 } ?? .max, at: 5)
        for (offset, term) in others.enumerated() { try walk.bind(term, at: Int32(6 + offset)) }
        return walk
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
