import AuditModel

/// Walks along the postings of some terms as if they were one's: in order, and an event with several of them once.
struct PostingMerge {
    /// The place of an event, and whether it meets all other conditions.
    typealias Step = (place: SearchCursor, hasOthers: Bool)

    /// Each selects time, number and whether the event meets all other conditions, in the order of the walk.
    private let statements: [PreparedStatement]
    private let isNewestFirst: Bool
    private var heads: [Step?] = []

    init(_ statements: [PreparedStatement], isNewestFirst: Bool) {
        self.statements = statements
        self.isNewestFirst = isNewestFirst
    }

    /// Returns the next event; nil behind the last.
    ///
    /// - Throws: What reading the index throws.
    mutating func next() throws -> Step? {
        if heads.isEmpty { heads = try statements.map(Self.step) }
        let found = heads.compactMap(\.self).min { isNewestFirst ? $0.place > $1.place : $0.place < $1.place }
        guard let found else { return nil }
        for index in heads.indices where heads[index]?.place == found.place {
            heads[index] = try Self.step(statements[index])
        }
        return found
    }

    /// Lets go of what others may change.
    func reset() {
        for statement in statements { statement.reset() }
    }

    private static func step(_ statement: PreparedStatement) throws -> Step? {
        guard try statement.step() else { return nil }
        let place = SearchCursor(time: statement.integer(0) ?? 0, number: statement.integer(1) ?? 0)
        return (place, statement.integer(2) == 1)
    }
}
