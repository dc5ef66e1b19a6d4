import ColumnScans
import EventModel
import ObjectQueries

/// A prepared query with the constants of one plan.
struct AskedQuery {
    let prepared: PreparedQuery
    /// The values of the placeholders.
    let arguments: [Value]
    /// How columns in memory answer; nil when only the database can.
    let scan: ColumnScan?
}
