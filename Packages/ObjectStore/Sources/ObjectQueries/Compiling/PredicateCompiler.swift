import EventModel

/// Turns a predicate into a condition on the table of a scope.
struct PredicateCompiler {
    private var paths: PathCompiler

    init(schema: QuerySchema) {
        paths = PathCompiler(schema: schema)
    }

    /// The condition; its links are joined to the scope.
    mutating func condition(_ predicate: QueryPredicate, in scope: inout TableScope) throws(QueryError) -> SQL {
        switch predicate {
        case .always: return "1"
        case .never: return "0"
        case .not(let negated):
            // A comparison with NULL is NULL in SQL, and so would be its negation: predicates have two values.
            return "(\(try condition(negated, in: &scope))) IS NOT TRUE"
        case .and(let parts):
            return parts.isEmpty ? "1" : .joined(try nested(parts, in: &scope), by: " AND ")
        case .or(let parts):
            return parts.isEmpty ? "0" : .joined(try nested(parts, in: &scope), by: " OR ")
        case .compare(let left, let comparison, let right, let options, let quantifier):
            return try compare(left, comparison, right, options, quantifier, in: &scope)
        case .isIn(let term, let values, let options, let quantifier):
            return try test(term, quantifier, in: &scope) { (operand) throws(QueryError) in
                try operand.isIn(values, options)
            }
        case .isBetween(let term, let lowest, let highest, let quantifier):
            return try test(term, quantifier, in: &scope) { (operand) throws(QueryError) in
                try operand.isBetween(lowest, highest)
            }
        }
    }

    /// The column of a path that leads to one value, for sorting and distinct.
    func operand(_ path: PropertyPath, in scope: inout TableScope) throws(QueryError) -> Operand {
        try paths.operand(path, in: &scope)
    }

    private mutating func nested(
        _ parts: [QueryPredicate],
        in scope: inout TableScope
    ) throws(QueryError) -> [SQL] {
        var conditions: [SQL] = []
        for part in parts {
            let condition = try condition(part, in: &scope)
            switch part {
            case .and(let inner) where inner.count > 1, .or(let inner) where inner.count > 1:
                conditions.append("(\(condition))")
            default:
                conditions.append(condition)
            }
        }
        return conditions
    }

    // MARK: - Comparisons

    private mutating func compare(
        _ left: QueryPredicate.Term,
        _ comparison: QueryPredicate.Operator,
        _ right: QueryPredicate.Term,
        _ options: QueryPredicate.Options,
        _ quantifier: QueryPredicate.Quantifier,
        in scope: inout TableScope
    ) throws(QueryError) -> SQL {
        switch (left, right) {
        case (.constant, .constant):
            throw .invalidComparison(
                path: "self",
                className: scope.shape.name,
                reason: "one side must be a property, not both a constant"
            )
        case (.constant, _):
            guard let flipped = comparison.flipped else {
                throw .invalidComparison(
                    path: "self",
                    className: scope.shape.name,
                    reason: "the property must stand on the left of this operator"
                )
            }
            return try compare(right, flipped, left, options, quantifier, in: &scope)
        case (_, .constant(let value)):
            return try test(left, quantifier, in: &scope) { (operand) throws(QueryError) in
                try operand.compared(comparison, with: value, options)
            }
        default:
            let other = try operand(right, in: &scope)
            return try test(left, quantifier, in: &scope) { (operand) throws(QueryError) in
                try operand.compared(comparison, with: other, options)
            }
        }
    }

    /// The condition on the one value of a term, or on at least one of its elements.
    private mutating func test(
        _ term: QueryPredicate.Term,
        _ quantifier: QueryPredicate.Quantifier,
        in scope: inout TableScope,
        _ condition: (Operand) throws(QueryError) -> SQL
    ) throws(QueryError) -> SQL {
        guard quantifier == .any else { return try condition(try operand(term, in: &scope)) }
        switch term {
        case .path(let path):
            let elements = try paths.elements(path, in: &scope)
            return elements.exists(try condition(elements.operand))
        case .keys(let path):
            var elements = try map(path, in: &scope)
            elements.operand.sql = SQL("\(elements.alias).\(StorageNames.entryKey)")
            elements.operand.typeSQL = nil
            elements.operand.kind = .string
            elements.operand.isOptional = false
            return elements.exists(try condition(elements.operand))
        case .constant, .object, .aggregate, .subqueryCount, .entry:
            throw .invalidComparison(
                path: "self",
                className: scope.shape.name,
                reason: "ANY and NONE need a path through a collection"
            )
        }
    }

    // MARK: - Terms

    private mutating func operand(
        _ term: QueryPredicate.Term,
        in scope: inout TableScope
    ) throws(QueryError) -> Operand {
        switch term {
        case .path(let path): return try paths.operand(path, in: &scope)
        case .object: return paths.object(in: scope)
        case .aggregate(let aggregate, let path, let element):
            return try self.aggregate(aggregate, of: path, element: element, in: &scope)
        case .subqueryCount(let path, let predicate):
            var (elements, inner) = try paths.objects(path, in: &scope)
            let condition = try condition(predicate, in: &inner)
            elements.tables += inner.joins
            elements.operand.sql = elements.select("count(*)", where: "(\(condition))")
            return elements.operand.asNumber(.int, isOptional: false)
        case .entry(let path, let key):
            let elements = try map(path, in: &scope)
            var operand = elements.operand
            let isEntry: SQL = "\(elements.alias).\(StorageNames.entryKey) = \(.argument(.string(key)))"
            operand.sql = elements.select(operand.sql, where: isEntry)
            operand.typeSQL = operand.typeSQL.map { elements.select($0, where: isEntry) }
            operand.isOptional = true
            return operand
        case .keys(let path):
            throw .invalidPath(
                path: path.description,
                className: scope.shape.name,
                reason: "the keys of a map are several, so ANY or NONE is needed"
            )
        case .constant:
            throw .invalidComparison(
                path: "self",
                className: scope.shape.name,
                reason: "one side must be a property, not a constant"
            )
        }
    }

    private mutating func map(_ path: PropertyPath, in scope: inout TableScope) throws(QueryError) -> ElementScope {
        guard try paths.collection(path, from: scope.shape).collection == .dictionary else {
            throw .invalidPath(path: path.description, className: scope.shape.name, reason: "it is not a map")
        }
        return try paths.elements(path, in: &scope)
    }

    private mutating func aggregate(
        _ aggregate: QueryPredicate.Aggregate,
        of path: PropertyPath,
        element: PropertyPath,
        in scope: inout TableScope
    ) throws(QueryError) -> Operand {
        let property = try paths.collection(path, from: scope.shape)
        if !element.components.isEmpty, property.kind == .link || property.kind == .embedded {
            _ = try paths.single(element, from: paths.schema.target(of: property))
        }
        let elements = try paths.elements(PropertyPath(path.components + element.components), in: &scope)
        var operand = elements.operand
        let value = operand.sql
        guard aggregate != .count else {
            operand.sql = elements.select("count(*)")
            return operand.asNumber(.int, isOptional: false)
        }
        try operand.check(aggregate)
        switch aggregate {
        case .count: break
        case .min: operand.sql = elements.select("min(\(value))")
        case .max: operand.sql = elements.select("max(\(value))")
        case .sum: operand.sql = elements.select("ifnull(sum(\(value)), 0)")
        case .avg: operand.sql = elements.select("avg(\(value))")
        }
        operand.isOptional = aggregate != .sum
        if aggregate == .avg || operand.kind == .float { operand.kind = .double }
        return operand
    }
}
