import AuditModel
import EventModel
import GRDB

/// Looks up what objects were called, at one moment of the index.
struct NameLookUp {
    /// How many labels are looked at for one word.
    private static let maximumCount = 10_000

    private struct Candidate {
        let term: Int64
        /// The text of the term, see ``LabelTerm``.
        let text: [UInt8]
        let count: Int64
        /// How many of the words are whole words of the label.
        var wholeWords = 0
        /// When it was seen last, where that is known already.
        var place: SearchCursor?
    }

    private let access: EventAccess
    private let database: Database
    private let term: PreparedStatement
    private let postings: PreparedStatement
    private var shelves: ReadableShelves

    init(_ access: EventAccess, in database: Database) throws {
        self.access = access
        self.database = database
        term = try PreparedStatement("SELECT text, count FROM Term WHERE id = ?", in: database)
        postings = try PreparedStatement(
            "SELECT time, number FROM Posting WHERE term = ? ORDER BY time DESC, number DESC",
            in: database
        )
        shelves = try ReadableShelves(access, in: database)
    }

    func reset() {
        term.reset()
        postings.reset()
        shelves.reset()
    }

    /// Finds names that have words which begin as these do.
    mutating func names(of words: [FoldedWord], _ limit: Int, _ isLate: () -> Bool) throws -> FoundNames {
        var found = try words.map { word in
            (word: word, terms: try LabelWords.terms(of: word, atMost: Self.maximumCount + 1, in: database))
        }
        found.sort { $0.terms.count < $1.terms.count }
        guard var terms = found.first?.terms else { return FoundNames(names: [], isWhole: true) }
        let isWhole = terms.count <= Self.maximumCount
        var others: [FoldedWord] = []
        for (word, more) in found.dropFirst() {
            // Of a beginning that very many labels have not all are known, so that the labels themselves are compared.
            if more.count > Self.maximumCount { others.append(word) } else { terms.formIntersection(more) }
        }
        let exact = try words.map { try LabelWords.terms(having: $0, atMost: Self.maximumCount, in: database) }
        var candidates: [Candidate] = []
        for id in terms.sorted() {
            guard var candidate = try candidate(id) else { continue }
            if !others.isEmpty {
                let own = FoldedWord.all(in: LabelTerm(candidate.text)?.label ?? "")
                guard others.allSatisfy({ word in own.contains { word.begins($0) } }) else { continue }
            }
            candidate.wholeWords = exact.count { $0.contains(id) }
            candidates.append(candidate)
        }
        candidates.sort { ($1.wholeWords, $1.count, $0.term) < ($0.wholeWords, $0.count, $1.term) }
        return try told(candidates, limit, isWhole, isLate)
    }

    /// Finds the names of one object.
    mutating func names(
        of objectClass: String,
        _ key: String,
        _ limit: Int,
        _ isLate: () -> Bool
    ) throws -> FoundNames {
        let statement = try PreparedStatement(
            "SELECT id FROM Term WHERE kind = ? AND text >= ? AND text < ? LIMIT ?",
            in: database
        )
        defer { statement.reset() }
        let beginning = LabelTerm.beginning(of: objectClass, key)
        try statement.bind(SearchTerm(.label).column, at: 1)
        try beginning.withUnsafeBytes { try statement.bind(blob: $0, at: 2) }
        try (beginning + [255]).withUnsafeBytes { try statement.bind(blob: $0, at: 3) }
        try statement.bind(Int64(Self.maximumCount + 1), at: 4)
        var candidates: [Candidate] = []
        var ids: [Int64] = []
        while try statement.step() { if let id = statement.integer(0) { ids.append(id) } }
        var isWhole = ids.count <= Self.maximumCount
        for id in ids {
            // Of an object with very many names, the others wait for nobody.
            if !candidates.isEmpty && isLate() {
                isWhole = false
                break
            }
            guard var candidate = try candidate(id), let label = LabelTerm(candidate.text) else { continue }
            candidate.place = try newest(of: candidate, label, isLate)
            candidates.append(candidate)
        }
        candidates.sort { left, right in
            switch (left.place, right.place) {
            // Of two names in one event, the later one is what the object is called from then on.
            case (let first?, let second?): (second, right.term) < (first, left.term)
            default: right.place == nil && left.place != nil
            }
        }
        return try told(candidates, limit, isWhole, isLate)
    }

    /// Returns a label by its term; nil of one that no event has.
    private func candidate(_ id: Int64) throws -> Candidate? {
        term.reset()
        try term.bind(id, at: 1)
        guard try term.step(), let text = term.bytes(0), let count = term.integer(1), count > 0 else { return nil }
        return Candidate(term: id, text: text, count: count)
    }

    /// Returns the first names, each with the newest event that may be read; one without such an event is not told.
    private mutating func told(
        _ candidates: [Candidate],
        _ limit: Int,
        _ isWhole: Bool,
        _ isLate: () -> Bool
    ) throws -> FoundNames {
        var names: [FoundName] = []
        for candidate in candidates {
            if names.count == limit || !names.isEmpty && isLate() { return FoundNames(names: names, isWhole: false) }
            guard let label = LabelTerm(candidate.text), access.includes(app: label.app),
                let place = try candidate.place ?? newest(of: candidate, label, isLate)
            else { continue }
            names.append(
                FoundName(
                    app: label.app,
                    objectClass: label.objectClass,
                    key: label.key,
                    label: label.label,
                    // How often others saw it is not for somebody who may not read that.
                    events: access.includesAll(of: label.app) ? candidate.count : nil,
                    lastSeen: EventInstant(microseconds: place.time)
                )
            )
        }
        return FoundNames(names: names, isWhole: isWhole)
    }

    /// Returns the newest event with a label that may be read; nil when there is none, or it was not found in time.
    private mutating func newest(
        of candidate: Candidate,
        _ label: LabelTerm,
        _ isLate: () -> Bool
    ) throws -> SearchCursor? {
        let isOpen = access.includesAll(of: label.app)
        postings.reset()
        try postings.bind(candidate.term, at: 1)
        var steps = 0
        while try postings.step() {
            guard let time = postings.integer(0), let number = postings.integer(1) else { break }
            let place = SearchCursor(time: time, number: number)
            if try isOpen || shelves.include(place) { return place }
            steps += 1
            if steps.isMultiple(of: 256), isLate() { return nil }
        }
        return nil
    }
}
