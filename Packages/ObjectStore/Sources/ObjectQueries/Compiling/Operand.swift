import EventModel

/// A column, or an expression that stands for one, with what is known of its values.
struct Operand {
    /// The value; of a decimal, its sortable key.
    var sql: SQL
    /// The tag of the value's type, for the kind `any`.
    var typeSQL: SQL?
    /// The type of the value.
    var kind: PropertyShape.Kind
    /// Whether the value may be missing.
    var isOptional: Bool
    /// The class that a link leads to.
    var targetClass: String?
    /// The path, for messages.
    var path: String
    /// The class that the path starts at, for messages.
    var className: String

    /// The same expression, known to be a number.
    func asNumber(_ kind: PropertyShape.Kind, isOptional: Bool) -> Operand {
        var number = self
        number.kind = kind
        number.typeSQL = nil
        number.targetClass = nil
        number.isOptional = isOptional
        return number
    }

    /// Whether values are numbers that SQLite compares with each other.
    var isNumber: Bool {
        kind == .int || kind == .float || kind == .double
    }

    func invalid(_ reason: String) -> QueryError {
        .invalidComparison(path: path, className: className, reason: reason)
    }

    /// Checks that an aggregate is defined for the values.
    func check(_ aggregate: QueryPredicate.Aggregate) throws(QueryError) {
        switch kind {
        case .int, .float, .double: return
        case .date, .decimal128:
            guard aggregate == .min || aggregate == .max else {
                throw invalid("@\(aggregate.rawValue) needs whole or floating-point numbers")
            }
        case .bool, .string, .data, .objectId, .uuid, .any, .link, .embedded:
            throw invalid("@\(aggregate.rawValue) needs numbers or dates")
        }
    }
}

// MARK: - Comparison with constants

extension Operand {
    /// Compares the value with a constant.
    func compared(
        _ comparison: QueryPredicate.Operator,
        with constant: Value,
        _ options: QueryPredicate.Options
    ) throws(QueryError) -> SQL {
        guard kind != .any else { return try anyCompared(comparison, with: constant, options) }
        guard constant != .null else { return try comparedWithNull(comparison) }
        switch comparison {
        case .contains, .beginsWith, .endsWith, .like:
            return try matches(comparison, constant, options)
        case .equal, .notEqual:
            let value = try coerced(constant)
            guard options.isEmpty || kind == .string else { throw invalid("[c] and [d] are for text only") }
            let symbol = comparison == .equal ? "=" : "IS NOT"
            return "\(folded(options)) \(symbol) \(.argument(value.folded(options)))"
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let value = try coerced(constant)
            try checkOrder(options)
            return "\(sql) \(comparison.symbol) \(.argument(value))"
        }
    }

    /// Whether the value is one of the constants.
    func isIn(_ constants: [Value], _ options: QueryPredicate.Options) throws(QueryError) -> SQL {
        guard !constants.isEmpty else { return "0" }
        guard kind != .any else {
            var conditions: [SQL] = []
            for constant in constants { conditions.append(try anyCompared(.equal, with: constant, options)) }
            return "(\(.joined(conditions, by: " OR ")))"
        }
        guard options.isEmpty || kind == .string else { throw invalid("[c] and [d] are for text only") }
        var values: [SQL] = []
        for constant in constants where constant != .null {
            values.append(.argument(try coerced(constant).folded(options)))
        }
        let isOne: SQL = "\(folded(options)) IN (\(.joined(values, by: ", ")))"
        guard constants.contains(.null) else { return isOne }
        let isNull = try comparedWithNull(.equal)
        return values.isEmpty ? isNull : "(\(isOne) OR \(isNull))"
    }

    /// Whether the value lies between two constants, both included.
    func isBetween(_ lowest: Value, _ highest: Value) throws(QueryError) -> SQL {
        guard lowest != .null, highest != .null else { throw invalid("BETWEEN needs two values that are not nil") }
        guard kind != .any else {
            let above = try anyCompared(.greaterOrEqual, with: lowest, [])
            return "(\(above) AND \(try anyCompared(.lessOrEqual, with: highest, [])))"
        }
        try checkOrder([])
        return "\(sql) BETWEEN \(.argument(try coerced(lowest))) AND \(.argument(try coerced(highest)))"
    }

    private func comparedWithNull(_ comparison: QueryPredicate.Operator) throws(QueryError) -> SQL {
        guard isOptional || kind == .link || kind == .embedded else {
            throw invalid("it is never nil")
        }
        switch comparison {
        case .equal: return "\(sql) IS NULL"
        case .notEqual: return "\(sql) IS NOT NULL"
        default: throw invalid("nil can only be compared with == and !=")
        }
    }

    private func checkOrder(_ options: QueryPredicate.Options) throws(QueryError) {
        guard options.isEmpty else { throw invalid("text can only be ordered without [c] and [d]") }
        switch kind {
        case .bool, .data, .link, .embedded: throw invalid("its values have no order")
        case .int, .float, .double, .string, .date, .objectId, .uuid, .decimal128, .any: return
        }
    }
}

// MARK: - Comparison with other columns

extension Operand {
    /// Compares the value with another one of the same object.
    func compared(
        _ comparison: QueryPredicate.Operator,
        with other: Operand,
        _ options: QueryPredicate.Options
    ) throws(QueryError) -> SQL {
        guard kind == other.kind || (isNumber && other.isNumber) else {
            throw invalid("'\(other.path)' is of another type")
        }
        guard kind != .any else { throw invalid("two properties of any type cannot be compared with each other") }
        guard kind != .link && kind != .embedded || targetClass == other.targetClass else {
            throw invalid("'\(other.path)' links to another class")
        }
        switch comparison {
        case .equal, .notEqual:
            guard options.isEmpty || kind == .string else { throw invalid("[c] and [d] are for text only") }
            let symbol = comparison == .equal ? "IS" : "IS NOT"
            return "\(folded(options)) \(symbol) \(other.folded(options))"
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            try checkOrder(options)
            return "\(sql) \(comparison.symbol) \(other.sql)"
        case .contains, .beginsWith, .endsWith, .like:
            return try matches(comparison, other, options)
        }
    }
}

extension QueryPredicate.Operator {
    /// The operator of SQL, for those that order.
    var symbol: String {
        switch self {
        case .equal: "="
        case .notEqual: "IS NOT"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .contains, .beginsWith, .endsWith, .like: ""
        }
    }
}
