import ColumnScans
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

    /// A query in both ways of answering it.
    struct Prepared: Sendable {
        let query: CompiledQuery
        /// How columns in memory answer; nil when only the database can.
        let scan: ColumnScan?
    }

    private let schema: QuerySchema
    private let known = Mutex<[QueryPlan: Prepared]>([:])

    private init(_ schema: QuerySchema) {
        self.schema = schema
    }

    /// Returns the queries of a schema that were made before.
    static func of(_ schema: QuerySchema) -> CompiledQueries {
        schemas.withLock { schemas in
            if let known = schemas.first(where: { $0.schema == schema }) { return known }
            let new = CompiledQueries(schema)
            if schemas.count >= maximumSchemaCount { schemas.removeFirst() }
            schemas.append(new)
            return new
        }
    }

    /// Returns the SQL of a plan, and how columns answer it.
    ///
    /// - Throws: ``QueryError`` when the plan names what does not exist, or compares what cannot be compared.
    func query(_ plan: QueryPlan) throws(QueryError) -> Prepared {
        if let query = known.withLock({ $0[plan] }) { return query }
        let compiled = try QueryCompiler(schema: schema).compile(plan)
        let query = Prepared(query: compiled, scan: ScanCompiler.scan(plan, schema))
        guard compiled.byteCount <= Self.maximumByteCount else { return query }
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
