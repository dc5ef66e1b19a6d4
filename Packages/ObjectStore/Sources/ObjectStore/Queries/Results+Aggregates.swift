import EventModel
import ObjectQueries

extension Results {
    /// Computes an aggregate of the values that a path leads to; nil when there is none.
    func aggregate<T: _ScalarValue>(_ aggregate: Aggregate, _ path: PropertyPath) -> T? {
        switch content {
        case .objects(let state): state.aggregate(aggregate, path)
        case .values(let state): state.aggregate(aggregate, path)
        case .memory(let elements): elements.aggregate(aggregate, path).flatMap(T.aggregated)
        }
    }

    /// Computes an aggregate of the numbers that a path leads to, whatever their types; nil when there is none.
    func aggregated(_ aggregate: Aggregate, _ path: PropertyPath) -> Value? {
        switch content {
        case .objects(let state): state.aggregated(aggregate, path)
        case .values(let state): state.aggregated(aggregate, path)
        case .memory(let elements): elements.aggregate(aggregate, path)
        }
    }

    var memory: [Element] {
        if case .memory(let elements) = content { elements } else { [] }
    }
}

extension ResultState {
    /// Computes an aggregate with one statement.
    func aggregate<T: _ScalarValue>(_ aggregate: Aggregate, _ path: PropertyPath) -> T? {
        let (query, value) = compiled(aggregate, path)
        guard aggregate.accepts(value.kind), (value.kind == .date) == (T._kind == .date) else {
            misuse(
                """
                The \(aggregate.rawValue) of '\(plan.className).\(path)' as '\(T.self)' is not possible: the values are \
                of type '\(value.kind)'.
                """
            )
        }
        return core.reading(or: nil) { () throws(Realm.Error) in
            if let result: T? = try scanned(aggregate, path) { return result }
            guard let function = Self.expression(aggregate, value) else {
                return try fold(aggregate, query, value).flatMap(T.aggregated)
            }
            let statement = try table.statement("SELECT \(function) \(query.source)")
            bind(query.arguments, to: statement)
            defer { statement.reset() }
            return try statement.step() ? T._decode(column: 0, of: statement.handle) : nil
        }
    }

    /// Computes an aggregate of numbers that may have any type.
    func aggregated(_ aggregate: Aggregate, _ path: PropertyPath) -> Value? {
        let (query, value) = compiled(aggregate, path)
        guard aggregate.accepts(value.kind) else {
            misuse(
                """
                The \(aggregate.rawValue) of '\(plan.className).\(path)' is not possible: the values are of type \
                '\(value.kind)'.
                """
            )
        }
        return core.reading(or: nil) { () throws(Realm.Error) in try fold(aggregate, query, value) }
    }

    private func compiled(
        _ aggregate: Aggregate,
        _ path: PropertyPath
    ) -> (query: CompiledQuery, value: CompiledValue) {
        prepare()
        reportQuery()
        do throws(QueryError) {
            return try QueryCompiler(schema: core.schema.queries).compile(plan, reading: path)
        } catch {
            misuse("The \(aggregate.rawValue) of '\(path)' is not possible: \(error)")
        }
    }

    /// The SQL of an aggregate; nil when SQLite cannot compute with the values.
    private static func expression(_ aggregate: Aggregate, _ value: CompiledValue) -> String? {
        let column = value.column
        switch value.kind {
        case .int where aggregate == .sum: return QueryFunctions.wrappingSum(column)
        case .int: return "\(aggregate.rawValue)(\(column))"
        // Numbers that are not numbers are stored as blobs, which have no place in an order.
        case .float, .double, .date:
            return "\(aggregate.rawValue)(CASE WHEN typeof(\(column)) <> 'blob' THEN \(column) END)"
        default: return nil
        }
    }

    /// Computes an aggregate here, from the values that the database has.
    private func fold(
        _ aggregate: Aggregate,
        _ query: CompiledQuery,
        _ value: CompiledValue
    ) throws(Realm.Error) -> Value? {
        let columns = [value.column, value.typeColumn].compactMap(\.self).joined(separator: ", ")
        let statement = try table.statement("SELECT \(columns) \(query.source)")
        bind(query.arguments, to: statement)
        var fold = AggregateFold(aggregate)
        while try statement.step() {
            if value.kind != .any {
                fold.add(Value(column: 0, of: statement.handle, value.kind))
            } else if case .value(let number) = AnyCell(column: 0, of: statement.handle) {
                fold.add(number)
            }
        }
        return fold.result
    }
}
