public import EventModel

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
        var composition = try PlanComposition(plan, schema)
        return try composition.query()
    }

    /// Returns the SQL of a plan together with that of one value of each object.
    ///
    /// - Throws: As ``compile(_:)``, also when the path does not lead to one value.
    /// - Complexity: O(*n*) in the size of the plan.
    public func compile(
        _ plan: QueryPlan,
        reading path: PropertyPath
    ) throws(QueryError) -> (query: CompiledQuery, value: CompiledValue) {
        var composition = try PlanComposition(plan, schema)
        // The tables that the path leads through must be joined before the query is composed.
        let value = try composition.value(path)
        return (try composition.query(), value)
    }
}

/// The SQL of one value of each object of a query.
public struct CompiledValue: Sendable, Hashable {
    /// The column with the value as stored.
    public let column: String
    /// The column with the value's type; nil unless it may have any.
    public let typeColumn: String?
    /// The type of the value.
    public let kind: PropertyShape.Kind
}

/// A plan on its way to SQL.
private struct PlanComposition {
    private let plan: QueryPlan
    private let origin: QueryOrigin
    private var scope: TableScope
    private var compiler: PredicateCompiler
    private let condition: SQL?

    init(_ plan: QueryPlan, _ schema: QuerySchema) throws(QueryError) {
        self.plan = plan
        var compiler = PredicateCompiler(schema: schema)
        origin = try QueryOrigin(of: plan, schema)
        var scope = origin.scope
        condition = plan.predicate == .always ? nil : try compiler.condition(plan.predicate, in: &scope)
        self.compiler = compiler
        self.scope = scope
    }

    mutating func value(_ path: PropertyPath) throws(QueryError) -> CompiledValue {
        let operand = try compiler.operand(path, in: &scope)
        return CompiledValue(
            column: operand.stored.text,
            typeColumn: operand.typeSQL?.text,
            kind: operand.kind
        )
    }

    mutating func query() throws(QueryError) -> CompiledQuery {
        let order = try order(of: plan.sort)
        // Every table must be joined before the first clause is written.
        var steps: [(groups: [SQL], links: [SQL], order: [OrderTerm])] = []
        for step in plan.distinct {
            steps.append((try groups(step.paths), try links(step.paths), try self.order(of: step.sort)))
        }
        let tables = origin.tables + scope.joins
        var conditions = origin.conditions
        if let condition {
            // The list of conditions is joined with AND.
            conditions.append(conditions.isEmpty ? condition : "(\(condition))")
        }
        for step in steps {
            let first = first(of: step.groups, in: step.order, from(tables, where: conditions + step.links))
            // An element's place is unique for its owner only, so that condition stays outside, too.
            conditions = origin.conditions + [first]
        }
        let source = from(tables, where: conditions)
        let clause = clause(order)
        var behind: SQL?
        if plan.source == .all, plan.sort.isEmpty, plan.distinct.isEmpty, plan.limit == nil, scope.joins.isEmpty {
            let isBehind = SQL("\(scope.alias).\(StorageNames.key) > ?")
            behind = from(tables, where: conditions.map { "(\($0))" } + [isBehind])
        }
        let limit: SQL = plan.limit.map { "\(clause) LIMIT \(.argument(.int(Int64($0))))" } ?? clause
        try SQLLimits.check(source.text, source.arguments.count, of: plan.className)
        return CompiledQuery(
            className: plan.className,
            alias: scope.alias,
            source: source.text,
            sourceBehind: behind?.text,
            order: limit.text,
            reversedOrder: self.clause(order.map(\.reversed)).text,
            classNames: compiler.classNames.union(origin.classNames),
            arguments: source.arguments + limit.arguments,
            isLimited: plan.limit != nil
        )
    }

    // MARK: Clauses

    private struct OrderTerm {
        let sql: SQL
        let ascending: Bool

        var reversed: OrderTerm { OrderTerm(sql: sql, ascending: !ascending) }
    }

    private func clause(_ order: [OrderTerm]) -> SQL {
        "ORDER BY \(.joined(order.map { $0.ascending ? $0.sql : "\($0.sql) DESC" }, by: ", "))"
    }

    private func from(_ tables: String, where conditions: [SQL]) -> SQL {
        conditions.isEmpty ? "FROM \(tables)" : "FROM \(tables) WHERE \(.joined(conditions, by: " AND "))"
    }

    private mutating func order(of sorts: [QuerySort]) throws(QueryError) -> [OrderTerm] {
        var terms: [OrderTerm] = []
        for sort in sorts {
            let operand = try compiler.operand(sort.path, in: &scope)
            switch operand.kind {
            case .any, .link, .embedded:
                throw .invalidPath(
                    path: sort.path.description,
                    className: plan.className,
                    reason: "values of type \(operand.kind) have no order"
                )
            case .int, .bool, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128:
                terms.append(OrderTerm(sql: operand.sql, ascending: sort.ascending))
            }
        }
        return terms + origin.identity.map { OrderTerm(sql: SQL($0), ascending: true) }
    }

    private mutating func groups(_ paths: [PropertyPath]) throws(QueryError) -> [SQL] {
        var groups: [SQL] = []
        for path in paths {
            let operand = try compiler.operand(path, in: &scope)
            groups.append(contentsOf: [operand.typeSQL, operand.sql].compactMap(\.self))
        }
        return groups
    }

    /// That the links of paths lead to objects: what has no such value belongs to no group.
    private mutating func links(_ paths: [PropertyPath]) throws(QueryError) -> [SQL] {
        var links: [SQL] = []
        for path in paths where path.components.count > 1 {
            let link = try compiler.operand(PropertyPath(Array(path.components.dropLast())), in: &scope)
            links.append("\(link.stored) IS NOT NULL")
        }
        return links
    }

    /// Whether a row is the first of its group: numbered within the group in an order.
    private func first(of groups: [SQL], in order: [OrderTerm], _ source: SQL) -> SQL {
        let number: SQL = "row_number() OVER (PARTITION BY \(.joined(groups, by: ", ")) \(clause(order)))"
        let names = origin.identity.indices.map { $0 == 0 ? "\"$identity\"" : "\"$identity\($0)\"" }
        let columns = zip(origin.identity, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
        let numbered: SQL = "SELECT \(columns), \(number) AS \"$number\" \(source)"
        let identity = origin.identity.joined(separator: ", ")
        return """
            \(names.count > 1 ? "(\(identity))" : identity) IN \
            (SELECT \(names.joined(separator: ", ")) FROM (\(numbered)) WHERE "$number" = 1)
            """
    }
}
