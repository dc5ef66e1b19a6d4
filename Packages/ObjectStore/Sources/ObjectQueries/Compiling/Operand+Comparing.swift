import EventModel

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
        if isNumber, case .decimal128(let number) = constant {
            // An integer keeps an index usable; anything else is compared exactly, digit by digit.
            guard let integer = number.int64Value else {
                return try asDecimal.compared(comparison, with: constant, options)
            }
            return try compared(comparison, with: .int(integer), options)
        }
        switch comparison {
        case .contains, .beginsWith, .endsWith, .like:
            return try matches(comparison, constant, options)
        case .equal, .notEqual:
            let value = try coerced(constant)
            guard options.isEmpty || kind == .string else { throw invalid("[c] and [d] are for text only") }
            // Nothing equals what is not a number.
            guard !value.isNaN else { return comparison == .equal ? "0" : "1" }
            let symbol = comparison == .equal ? "=" : "IS NOT"
            return "\(folded(options)) \(symbol) \(.argument(value.folded(options)))"
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let value = try coerced(constant)
            try checkOrder(options)
            guard !value.isNaN else { return "0" }
            let ordered: SQL = "\(sql) \(comparison.symbol) \(.argument(value))"
            if isFloating, comparison.asksForGreater { return "(\(ordered) AND \(isNotNaN))" }
            // SQLite takes a quarter of the rows to lie on one side of a value, and would rather read them all in order.
            // Who declares an index asks for few: as many as between two values.
            return isIndexed ? "likelihood(\(ordered), 0.015625)" : ordered
        }
    }

    /// Whether the value is one of the constants.
    func isIn(_ constants: [Value], _ options: QueryPredicate.Options) throws(QueryError) -> SQL {
        guard !constants.isEmpty else { return "0" }
        guard kind != .any, !isNumber || constants.allSatisfy({ $0.typeName != "decimal128" }) else {
            var conditions: [SQL] = []
            for constant in constants { conditions.append(try compared(.equal, with: constant, options)) }
            return "(\(.joined(conditions, by: " OR ")))"
        }
        guard options.isEmpty || kind == .string else { throw invalid("[c] and [d] are for text only") }
        var values: [Value] = []
        for constant in constants where constant != .null {
            let value = try coerced(constant).folded(options)
            if !value.isNaN { values.append(value) }
        }
        let isOne: SQL = "\(folded(options)) IN (\(Self.list(values)))"
        guard constants.contains(.null) else { return isOne }
        let isNull = try comparedWithNull(.equal)
        return values.isEmpty ? isNull : "(\(isOne) OR \(isNull))"
    }

    /// The constants as the right side of `IN`: many integers are one argument, because arguments are limited.
    private static func list(_ values: [Value]) -> SQL {
        let integers = values.count > 500 ? values.compactMap(\.integer) : []
        guard integers.count == values.count, !integers.isEmpty else {
            return SQL(repeatElement("?", count: values.count).joined(separator: ", "), values)
        }
        let json = "[\(integers.map { String($0) }.joined(separator: ","))]"
        return "SELECT value FROM json_each(\(.argument(.string(json))))"
    }

    /// Whether the value lies between two constants, both included.
    func isBetween(_ lowest: Value, _ highest: Value) throws(QueryError) -> SQL {
        guard lowest != .null, highest != .null else { throw invalid("BETWEEN needs two values that are not nil") }
        guard kind != .any, !isNumber || (lowest.typeName != "decimal128" && highest.typeName != "decimal128") else {
            let above = try compared(.greaterOrEqual, with: lowest, [])
            return "(\(above) AND \(try compared(.lessOrEqual, with: highest, [])))"
        }
        try checkOrder([])
        let lowest = try coerced(lowest)
        let highest = try coerced(highest)
        guard !lowest.isNaN, !highest.isNaN else { return "0" }
        return "\(sql) BETWEEN \(.argument(lowest)) AND \(.argument(highest))"
    }

    private func comparedWithNull(_ comparison: QueryPredicate.Operator) throws(QueryError) -> SQL {
        guard isOptional || kind == .link || kind == .embedded else {
            throw invalid("it is never nil")
        }
        switch comparison {
        case .equal: return "\(stored) IS NULL"
        case .notEqual: return "\(stored) IS NOT NULL"
        // Nil has no order and is part of no text: the answer is the same whatever the value is.
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .contains, .beginsWith, .endsWith, .like: return "0"
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
            let compared: SQL = "\(folded(options)) \(symbol) \(other.folded(options))"
            guard isFloating, other.isFloating else { return compared }
            return comparison == .equal
                ? "(\(compared) AND \(isNotNaN) IS NOT 0)" : "(\(compared) OR \(isNotNaN) IS 0)"
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            try checkOrder(options)
            let greater = comparison.asksForGreater ? self : other
            let compared: SQL = "\(sql) \(comparison.symbol) \(other.sql)"
            return greater.isFloating ? "(\(compared) AND \(greater.isNotNaN))" : compared
        case .contains, .beginsWith, .endsWith, .like:
            return try matches(comparison, other, options)
        }
    }
}

extension QueryPredicate.Operator {
    /// Whether the left value must be the greater one.
    var asksForGreater: Bool { self == .greater || self == .greaterOrEqual }

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
