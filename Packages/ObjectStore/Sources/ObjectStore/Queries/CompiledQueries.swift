import EventModel
import ObjectQueries
import Synchronization

/// The SQL of the latest queries on a schema, by their plans: finding it costs less than making it again.
///
/// All instances with the same classes share it, of whatever file and on whatever thread.
final class CompiledQueries: Sendable {
    /// How many schemas are remembered.
    private static let maximumSchemaCount = 8
    private static let schemas = Mutex<[CompiledQueries]>([])
    /// How many queries of a schema are remembered.
    private static let maximumCount = 256
    /// How many bytes a query may have to be remembered: long lists of values rarely come again.
    private static let maximumByteCount = 4096

    private let compiler: QueryCompiler
    private let known = Mutex<[QueryPlan: CompiledQuery]>([:])

    private init(_ schema: QuerySchema) {
        compiler = QueryCompiler(schema: schema)
    }

    /// Returns the queries of a schema that were made before.
    static func of(_ schema: QuerySchema) -> CompiledQueries {
        schemas.withLock { schemas in
            if let known = schemas.first(where: { $0.compiler.schema == schema }) { return known }
            let new = CompiledQueries(schema)
            if schemas.count >= maximumSchemaCount { schemas.removeFirst() }
            schemas.append(new)
            return new
        }
    }

    /// Returns the SQL of a plan.
    ///
    /// - Throws: ``QueryError`` when the plan names what does not exist, or compares what cannot be compared.
    func query(_ plan: QueryPlan) throws(QueryError) -> CompiledQuery {
        if let query = known.withLock({ $0[plan] }) { return query }
        let query = try compiler.compile(plan)
        guard query.byteCount <= Self.maximumByteCount else { return query }
        known.withLock { known in
            // Programs ask few queries, again and again; nothing may grow without an end.
            if known.count >= Self.maximumCount { known.removeAll(keepingCapacity: true) }
            known[plan] = query
        }
        return query
    }
}

extension CompiledQuery {
    /// How much memory the text and the values take, roughly.
    fileprivate var byteCount: Int {
        arguments.reduce(text.utf8.count) { sum, argument in
            switch argument {
            case .string(let text): sum + text.utf8.count
            case .data(let bytes): sum + bytes.count
            default: sum + MemoryLayout<Value>.size
            }
        }
    }
}
