import ColumnScans
import EventModel
import ObjectQueries

/// A plan with its prepared query and the constants of it; results of one plan share it.
final class AskedQuery {
    let plan: QueryPlan
    let prepared: PreparedQuery
    /// The values of the placeholders.
    let arguments: [Value]
    /// How columns in memory answer; nil when only the database can.
    let scan: ColumnScan?

    init(_ plan: QueryPlan, _ prepared: PreparedQuery, arguments: [Value], scan: ColumnScan?) {
        self.plan = plan
        self.prepared = prepared
        self.arguments = arguments
        self.scan = scan
    }
}
