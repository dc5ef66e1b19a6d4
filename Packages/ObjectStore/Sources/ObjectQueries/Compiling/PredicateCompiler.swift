import EventModel

/// Turns a predicate into a condition on the table of a scope.
struct PredicateCompiler {
    var paths: PathCompiler

    /// The classes whose objects decide what the conditions and columns say.
    var classNames: Set<String> { paths.classNames }

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
            let isSelective = options.isEmpty && !values.contains(.null)
            return try test(term, quantifier, isSelective: isSelective, in: &scope) { (operand) throws(QueryError) in
                try operand.isIn(values, options)
            }
        case .isBetween(let term, let lowest, let highest, let quantifier):
            return try test(term, quantifier, in: &scope) { (operand) throws(QueryError) in
                try operand.isBetween(lowest, highest)
            }
        case .isWithin(let term, let region, _):
            switch term {
            case .path(let path): return try isWithin(path, region, in: &scope)
            case .object: return try isWithin(.itself, region, in: &scope)
            case .constant, .aggregate, .subqueryCount, .element, .keys:
                throw .invalidComparison(
                    path: "self",
                    className: scope.shape.name,
                    reason: "geoWithin needs the path of an object that is a point"
                )
            }
        }
    }

    /// The column of a path that leads to one value, for sorting and distinct.
    mutating func operand(_ path: PropertyPath, in scope: inout TableScope) throws(QueryError) -> Operand {
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
        case (.path(let path), .constant(.dictionary(let members))) where try isEmbedded(path, in: scope):
            let isEqual = try memberwise(path, members, in: scope)
            switch comparison {
            case .equal: return "(\(try condition(isEqual, in: &scope)))"
            case .notEqual: return try condition(.not(isEqual), in: &scope)
            default:
                throw .invalidComparison(
                    path: path.description,
                    className: scope.shape.name,
                    reason: "embedded objects can only be compared with == and !="
                )
            }
        case (_, .constant(let value)):
            let isSelective = comparison == .equal && options.isEmpty && value != .null
            return try test(left, quantifier, isSelective: isSelective, in: &scope) { (operand) throws(QueryError) in
                try operand.compared(comparison, with: value, options)
            }
        default:
            let other = try operand(right, in: &scope)
            return try test(left, quantifier, in: &scope) { (operand) throws(QueryError) in
                try operand.compared(comparison, with: other, options)
            }
        }
    }

    /// Whether a path leads to embedded objects, which are compared by their members.
    private mutating func isEmbedded(_ path: PropertyPath, in scope: TableScope) throws(QueryError) -> Bool {
        try paths.steps(path, from: scope.shape).last?.property.kind != .any
    }

    /// The condition that all members of an embedded object have these values.
    private mutating func memberwise(
        _ path: PropertyPath,
        _ members: [String: Value],
        in scope: TableScope
    ) throws(QueryError) -> QueryPredicate {
        guard let last = try paths.single(path, from: scope.shape).last, last.property.kind == .embedded else {
            throw .invalidComparison(
                path: path.description,
                className: scope.shape.name,
                reason: "only an embedded object can be compared with the values of one"
            )
        }
        // Each member of a missing object is nil, which must not make it equal to an object of nothing but nils.
        let parts = members.sorted { $0.key < $1.key }
            .map { QueryPredicate.compare(.path(path.appending($0.key)), .equal, .constant($0.value)) }
        return .and([.compare(.path(path), .notEqual, .constant(.null))] + parts)
    }

    /// The condition on the one value of a term, or on at least one of its elements.
    ///
    /// It is selective when few values are expected to fulfil it.
    private mutating func test(
        _ term: QueryPredicate.Term,
        _ quantifier: QueryPredicate.Quantifier,
        isSelective: Bool = false,
        in scope: inout TableScope,
        _ condition: (Operand) throws(QueryError) -> SQL
    ) throws(QueryError) -> SQL {
        guard quantifier == .any else { return try condition(try operand(term, in: &scope)) }
        switch term {
        case .path(let path):
            let elements = try paths.elements(path, in: &scope)
            let condition = try condition(elements.operand)
            return isSelective && elements.isIndexed ? elements.isOwner(where: condition) : elements.exists(condition)
        case .element(let path, let places, let rest):
            let elements = try self.elements(path, places, rest, in: &scope)
            return elements.exists(try condition(elements.operand))
        case .keys(let path):
            var elements = try map(path, in: &scope)
            elements.operand.sql = SQL(elements.collection.place)
            elements.operand.stored = elements.operand.sql
            elements.operand.typeSQL = nil
            elements.operand.kind = .string
            elements.operand.isOptional = false
            return elements.exists(try condition(elements.operand))
        case .constant, .object, .aggregate, .subqueryCount:
            throw .invalidComparison(
                path: "self",
                className: scope.shape.name,
                reason: "ANY and NONE need a path through a collection"
            )
        }
    }

    // MARK: - Terms

    mutating func operand(
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
        case .element(let path, let places, let rest):
            guard !places.contains(.any) else { throw invalid(path, "#any means several values", in: scope) }
            let elements = try self.elements(path, places, rest, in: &scope)
            var operand = elements.operand
            operand.sql = elements.select(operand.sql)
            operand.stored = elements.select(operand.stored)
            operand.typeSQL = operand.typeSQL.map { elements.select($0) }
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
            throw invalid(path, "it is not a map", in: scope)
        }
        return try paths.elements(path, in: &scope)
    }

    /// The elements at a place of a map or a list, of which there is at most one unless any is asked for.
    private mutating func elements(
        _ path: PropertyPath,
        _ places: [QueryPredicate.Subscript],
        _ rest: PropertyPath,
        in scope: inout TableScope
    ) throws(QueryError) -> ElementScope {
        guard let property = try paths.single(path.components.dropLast(), then: path.components.last, from: scope.shape)
        else { throw invalid(path, "an object has no places", in: scope) }
        if property.collection == .none {
            guard property.kind == .any else { throw invalid(path, "it holds one value only", in: scope) }
            guard rest == .itself else { throw invalid(path, "nothing can follow a value of any type", in: scope) }
            let value = try paths.operand(path, in: &scope)
            return try paths.nested(places, in: value)
        }
        var elements = try paths.elements(PropertyPath(path.components + rest.components), in: &scope)
        switch (property.collection, places[0]) {
        case (_, .any): break
        case (.dictionary, .key(let key)):
            elements.narrow("\(elements.collection.place) = \(.argument(.string(key)))")
        case (.list, .index(let index)):
            elements.narrow(toIndex: index)
        case (.dictionary, .index): throw invalid(path, "a map needs a key as text in brackets", in: scope)
        case (.list, .key): throw invalid(path, "a list needs an index in brackets", in: scope)
        case (.set, _): throw invalid(path, "a set has no places", in: scope)
        case (.none, _): throw invalid(path, "it holds one value only", in: scope)
        }
        guard places.count > 1 else { return elements }
        guard property.kind == .any, rest == .itself else {
            throw invalid(path, "its elements are no collections", in: scope)
        }
        let inner = try paths.nested(places.dropFirst(), in: elements.operand)
        elements.tables += " JOIN \(inner.tables)"
        elements.narrow(inner.owner)
        elements.operand = inner.operand
        return elements
    }

    private func invalid(_ path: PropertyPath, _ reason: String, in scope: TableScope) -> QueryError {
        .invalidPath(path: path.description, className: scope.shape.name, reason: reason)
    }

    private mutating func aggregate(
        _ aggregate: QueryPredicate.Aggregate,
        of path: PropertyPath,
        element: PropertyPath,
        in scope: inout TableScope
    ) throws(QueryError) -> Operand {
        let property = try paths.collection(path, from: scope.shape)
        if !element.components.isEmpty, property.kind == .link || property.kind == .embedded {
            let target = try paths.schema.target(of: property)
            _ = try paths.single(element, from: target)
        }
        let elements = try paths.elements(PropertyPath(path.components + element.components), in: &scope)
        var operand = elements.operand
        guard aggregate != .count else {
            operand.sql = elements.select("count(*)")
            operand.stored = operand.sql
            return operand.asNumber(.int, isOptional: false)
        }
        try operand.check(aggregate)
        if let type = operand.typeSQL {
            // Of values of any type those count that are numbers, by value.
            operand = operand.asDecimal
            operand.sql = "CASE WHEN \(Operand.isNumberTag(type)) THEN \(operand.sql) END"
        }
        operand.sql = elements.select(operand.aggregated(aggregate))
        operand.stored = operand.sql
        operand.isOptional = aggregate != .sum
        if operand.kind != .decimal128, aggregate == .avg || aggregate == .sum {
            operand.kind = .double
        }
        return operand
    }
}
