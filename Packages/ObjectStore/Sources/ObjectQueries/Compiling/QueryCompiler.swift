import EventModel

/// Checks query plans against a schema and turns them into SQL.
///
/// The SQL holds names of the schema only; every value is an argument. The statement calls the functions of
/// ``QueryFunctions`` where SQLite has none of its own.
public struct QueryCompiler: Sendable {
    /// The classes that plans may name.
    public let schema: QuerySchema

    /// Creates a compiler.
    public init(schema: QuerySchema) {
        self.schema = schema
    }

    /// Returns the SQL of a plan.
    ///
    /// - Throws: ``QueryError`` when a class or property does not exist, or a comparison makes no sense.
    /// - Complexity: O(*n*) in the size of the plan.
    public func compile(_ plan: QueryPlan) throws(QueryError) -> CompiledQuery {
        var compiler = PredicateCompiler(schema: schema)
        var scope = TableScope(name: "o", shape: try schema.shape(plan.className))
        let origin = try origin(of: plan, in: scope)
        var conditions = origin.conditions
        if plan.predicate != .always {
            let condition = try compiler.condition(plan.predicate, in: &scope)
            // The list of conditions is joined with AND.
            conditions.append(origin.conditions.isEmpty ? condition : "(\(condition))")
        }
        let order = try order(of: plan, tieBreak: origin.tieBreak, compiler, in: &scope)
        var source = from(origin.tables + scope.joins, where: conditions)
        if !plan.distinct.isEmpty {
            source = try distinct(plan, order, source: (origin, conditions), compiler, in: &scope)
        }
        let limit: SQL =
            plan.limit.map { "ORDER BY \(order) LIMIT \(.argument(.int(Int64($0))))" } ?? "ORDER BY \(order)"
        try SQLLimits.check(source.text, source.arguments.count, of: plan.className)
        return CompiledQuery(
            className: plan.className,
            alias: scope.alias,
            source: source.text,
            order: limit.text,
            arguments: source.arguments + limit.arguments,
            isLimited: plan.limit != nil
        )
    }

    // MARK: - Clauses

    /// The tables that the objects come from.
    private struct Origin {
        var tables: String
        var conditions: [SQL] = []
        var tieBreak: String
    }

    private func origin(of plan: QueryPlan, in scope: TableScope) throws(QueryError) -> Origin {
        let table = "\(StorageNames.table(scope.shape.name)) AS \(scope.alias)"
        let key = "\(scope.alias).\(StorageNames.key)"
        guard case .elements(let owner, let row, let name) = plan.source else {
            return Origin(tables: table, tieBreak: key)
        }
        let property = try PathCompiler(schema: schema).collection([name], from: schema.shape(owner))
        guard property.targetClass == plan.className else {
            throw .invalidPath(
                path: name,
                className: owner,
                reason: "its elements are not of class '\(plan.className)'"
            )
        }
        let collection = "\"c\""
        let order: String
        switch property.collection {
        case .dictionary: order = StorageNames.entryKey
        case .list: order = StorageNames.position
        case .set, .none: order = StorageNames.value
        }
        let elements = "\(StorageNames.table(owner, property)) AS \(collection)"
        return Origin(
            tables: "\(elements) JOIN \(table) ON \(key) = \(collection).\(StorageNames.value)",
            conditions: ["\(collection).\(StorageNames.owner) = \(.argument(.int(row)))"],
            tieBreak: "\(collection).\(order)"
        )
    }

    private func from(_ tables: String, where conditions: [SQL]) -> SQL {
        conditions.isEmpty ? "FROM \(tables)" : "FROM \(tables) WHERE \(.joined(conditions, by: " AND "))"
    }

    private func order(
        of plan: QueryPlan,
        tieBreak: String,
        _ compiler: PredicateCompiler,
        in scope: inout TableScope
    ) throws(QueryError) -> SQL {
        var terms: [SQL] = []
        for sort in plan.sort {
            let operand = try compiler.operand(sort.path, in: &scope)
            switch operand.kind {
            case .any, .link, .embedded:
                throw .invalidPath(
                    path: sort.path.description,
                    className: plan.className,
                    reason: "values of type \(operand.kind) have no order"
                )
            case .int, .bool, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128:
                terms.append(sort.ascending ? operand.sql : "\(operand.sql) DESC")
            }
        }
        return .joined(terms + [SQL(tieBreak)], by: ", ")
    }

    /// Keeps the first object of each group: numbered within its group in the order of the query.
    private func distinct(
        _ plan: QueryPlan,
        _ order: SQL,
        source: (origin: Origin, conditions: [SQL]),
        _ compiler: PredicateCompiler,
        in scope: inout TableScope
    ) throws(QueryError) -> SQL {
        var groups: [SQL] = []
        for path in plan.distinct {
            let operand = try compiler.operand(path, in: &scope)
            groups.append(contentsOf: [operand.typeSQL, operand.sql].compactMap(\.self))
        }
        let tables = source.origin.tables + scope.joins
        let identity = source.origin.tieBreak
        let number: SQL = "row_number() OVER (PARTITION BY \(.joined(groups, by: ", ")) ORDER BY \(order))"
        let inner = from(tables, where: source.conditions)
        let numbered: SQL = "SELECT \(identity) AS \"$identity\", \(number) AS \"$number\" \(inner)"
        let first: SQL = "\(identity) IN (SELECT \"$identity\" FROM (\(numbered)) WHERE \"$number\" = 1)"
        // An element's position is unique for its owner only, so that condition stays outside, too.
        return from(tables, where: source.origin.conditions + [first])
    }
}
