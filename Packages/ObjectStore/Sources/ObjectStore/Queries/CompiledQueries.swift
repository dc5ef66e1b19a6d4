import ObjectQueries
import Synchronization

/// The SQL of the latest queries, by their plans: finding it costs less than making it again.
///
/// A frozen instance shares it with the one that it came from, and is used by any thread.
final class CompiledQueries: Sendable {
    private static let maximumCount = 256

    private let compiler: QueryCompiler
    private let known = Mutex<[QueryPlan: CompiledQuery]>([:])

    init(_ schema: QuerySchema) {
        compiler = QueryCompiler(schema: schema)
    }

    /// Returns the SQL of a plan.
    ///
    /// - Throws: ``QueryError`` when the plan names what does not exist, or compares what cannot be compared.
    func query(_ plan: QueryPlan) throws(QueryError) -> CompiledQuery {
        if let query = known.withLock({ $0[plan] }) { return query }
        let query = try compiler.compile(plan)
        known.withLock { known in
            // Programs ask few queries, again and again; nothing may grow without an end.
            if known.count >= Self.maximumCount { known.removeAll(keepingCapacity: true) }
            known[plan] = query
        }
        return query
    }
}
