import ColumnScans
import EventModel
import ObjectQueries
import Synchronization

/// The SQL of the latest queries on a schema, by the shapes of their plans: finding it costs less than making it again.
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

    /// How plans of one shape get their SQL.
    private enum Shape {
        /// All have the same; the constants follow so many arguments, and others come behind.
        case plain(PreparedQuery, constantsFrom: Int)
        /// Each has its own.
        case different
    }

    private struct State {
        var shapes: [PlanShape: Shape] = [:]
        /// What was asked last: to compare with one shape costs less than to hash it.
        private var latest: (shape: PlanShape, found: Shape)?
        var plans: [QueryPlan: PreparedQuery] = [:]

        mutating func found(_ shape: PlanShape) -> Shape? {
            if let latest, latest.shape == shape { return latest.found }
            guard let found = shapes[shape] else { return nil }
            latest = (shape, found)
            return found
        }
    }

    private let schema: QuerySchema
    private let known = Mutex(State())

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
    /// - Complexity: O(*n*) in the size of the plan; text is only made for a shape that was not met before.
    func query(_ plan: QueryPlan) throws(QueryError) -> AskedQuery {
        let shape = PlanShape(plan)
        guard shape.isPlain else { return try asked(plan) }
        switch known.withLock({ $0.found(shape) }) {
        case .plain(let prepared, let first):
            var arguments = shape.constants
            if arguments.count != prepared.query.arguments.count {
                let others = prepared.query.arguments
                arguments = others[..<first] + arguments + others[(first + arguments.count)...]
            }
            return AskedQuery(plan, prepared, arguments: arguments, scan: scan(plan, prepared))
        case .different: return try asked(plan)
        case nil:
            let made = try asked(plan)
            learn(shape, made)
            return made
        }
    }

    /// Finds out where the constants of a shape come among the arguments: those of an example, which all differ, tell.
    private func learn(_ shape: PlanShape, _ made: AskedQuery) {
        // A long list of values is no shape that comes again.
        guard made.arguments.count <= Self.maximumByteCount / MemoryLayout<Value>.size else { return }
        let example = shape.example
        let constants = PlanShape(example).constants
        let query = made.prepared.query
        // An example that is refused, or that is asked in another way, says that the values matter.
        let compiled = try? QueryCompiler(schema: schema).compile(example)
        let isSame = compiled.map { $0.text == query.text && $0.arguments.count == query.arguments.count } ?? false
        let starts = (0...max(0, query.arguments.count - constants.count))
            .filter { start in
                compiled?.arguments.dropFirst(start).starts(with: constants) ?? false
                    && query.arguments.dropFirst(start).starts(with: shape.constants)
            }
        let first = constants.isEmpty ? 0 : starts.count == 1 ? starts[0] : nil
        known.withLock { known in
            // Programs ask few queries, again and again; nothing may grow without an end.
            if known.shapes.count >= Self.maximumCount { known.shapes.removeAll(keepingCapacity: true) }
            known.shapes[shape] = .different
            if isSame, let first { known.shapes[shape] = .plain(made.prepared, constantsFrom: first) }
        }
    }

    /// Returns the SQL of a plan that is like no other.
    private func asked(_ plan: QueryPlan) throws(QueryError) -> AskedQuery {
        if let known = known.withLock({ $0.plans[plan] }) {
            return AskedQuery(plan, known, arguments: known.query.arguments, scan: scan(plan, known))
        }
        let compiled = try QueryCompiler(schema: schema).compile(plan)
        // Without the values that are asked for, which are no part of the text.
        Logger.log(.trace, Category.Storage.query, "Compiled a query: \(compiled.text)")
        let scan = ScanCompiler.scan(plan, schema)
        let prepared = PreparedQuery(
            compiled,
            isScannable: scan != nil,
            isEverything: plan.source == .all && plan.isUnrefined
        )
        let asked = AskedQuery(plan, prepared, arguments: compiled.arguments, scan: scan)
        guard compiled.byteCount <= Self.maximumByteCount else { return asked }
        known.withLock { known in
            if known.plans.count >= Self.maximumCount { known.plans.removeAll(keepingCapacity: true) }
            known.plans[plan] = prepared
        }
        return asked
    }

    private func scan(_ plan: QueryPlan, _ prepared: PreparedQuery) -> ColumnScan? {
        prepared.isScannable ? ScanCompiler.scan(plan, schema) : nil
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
