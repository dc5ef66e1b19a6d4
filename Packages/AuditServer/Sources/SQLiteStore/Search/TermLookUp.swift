import GRDB

/// Looks terms up in the index.
struct TermLookUp {
    private let statement: PreparedStatement

    init(in database: Database) throws {
        statement = try PreparedStatement("SELECT id, count FROM Term WHERE kind = ? AND text = ?", in: database)
    }

    /// Returns the id of a term, and how many events have it; nil when it was never entered.
    func find(_ term: SearchTerm) throws -> (id: Int64, count: Int64)? {
        statement.reset()
        try statement.bind(term.column, at: 1)
        try term.bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 2) }
        guard try statement.step(), let id = statement.integer(0), let count = statement.integer(1) else { return nil }
        return (id, count)
    }

    /// Lets go of what others may change.
    func reset() {
        statement.reset()
    }
}
