import ObjectQueries

/// The statements that ask one table a query: long texts, which are put together once.
final class QueryTexts {
    /// Keeps the query, so that no other one takes its identity.
    private let prepared: PreparedQuery
    /// Selects the rows in order.
    private(set) lazy var selection = prepared.query.select(columns)
    /// Selects the first row; nil when there is a limit of another kind.
    private(set) lazy var first: String? = prepared.query.isLimited ? nil : "\(selection) LIMIT 1"
    /// Selects the first rows; nil when there is a limit of another kind.
    private(set) lazy var head: String? = prepared.query.isLimited ? nil : "\(selection) LIMIT \(RowsHead.limit)"
    /// Selects the last row; nil when a limit says which one that is.
    private(set) lazy var last: String? = prepared.query.selectLast(columns)
    /// Selects the keys in order.
    private(set) lazy var keys = prepared.query.select("\(prepared.query.alias).\(StorageNames.key)")
    private let columns: String
    /// Counts; nil before the first time.
    private var counting: Statement?

    /// Creates the texts of a query, where `columns` is what is read of each row.
    init(_ prepared: PreparedQuery, columns: String) {
        self.prepared = prepared
        self.columns = columns
    }

    /// The statement that counts.
    func count(_ table: ClassTable) throws(Realm.Error) -> Statement {
        if let counting { return counting }
        let statement = try table.statement(prepared.count)
        counting = statement
        return statement
    }
}
