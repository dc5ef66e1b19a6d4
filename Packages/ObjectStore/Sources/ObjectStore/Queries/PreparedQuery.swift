import ColumnScans
import ObjectQueries

/// A query in both ways of answering it, but for its constants: made once for all plans of a shape, or for one plan.
final class PreparedQuery: Sendable {
    /// The SQL; its arguments are those of the plan that it was made for.
    let query: CompiledQuery
    /// The statement that counts.
    let count: String
    /// Whether columns in memory may answer plans of the shape.
    let isScannable: Bool
    /// Whether it asks for all objects of a class, in the order of their keys.
    let isEverything: Bool

    init(_ query: CompiledQuery, isScannable: Bool, isEverything: Bool) {
        self.isEverything = isEverything
        self.query = query
        count = query.count
        self.isScannable = isScannable
    }
}
