import EventModel

/// A column, or an expression that stands for one, with what is known of its values.
struct Operand {
    /// The value; of a decimal, its sortable key.
    var sql: SQL
    /// The value as it is stored, which is NULL exactly when the value is missing.
    var stored: SQL
    /// The tag of the value's type, for the kind `any`.
    var typeSQL: SQL?
    /// The type of the value.
    var kind: PropertyShape.Kind
    /// Whether the value may be missing.
    var isOptional: Bool
    /// Whether an index of the scope's own table leads from values to rows.
    var isIndexed = false
    /// The class that a link leads to.
    var targetClass: String?
    /// The path, for messages.
    var path: String
    /// The class that the path starts at, for messages.
    var className: String

    /// The aggregate of the values, which ignores those that are missing or not a number.
    func aggregated(_ aggregate: QueryPredicate.Aggregate) -> SQL {
        let value: SQL = isFloating ? "CASE WHEN \(isNotNaN) THEN \(sql) END" : sql
        switch aggregate {
        case .count: return "count(\(value))"
        case .min: return "min(\(value))"
        case .max: return "max(\(value))"
        case .sum where kind == .decimal128: return "\(QueryFunctions.decimalSumName)(\(value))"
        case .sum where kind == .int:
            // Exact where the sum is an Int; only where it is not, digits are lost.
            let exact = SQL(QueryFunctions.wrappingSum(value.text), value.arguments + value.arguments + value.arguments)
            return "CASE WHEN abs(total(\(value))) < 9e18 THEN ifnull(\(exact), 0) ELSE total(\(value)) END"
        case .sum: return "total(\(value))"
        case .avg where kind == .decimal128: return "\(QueryFunctions.decimalMeanName)(\(value))"
        case .avg: return "avg(\(value))"
        }
    }

    /// The same expression, known to be a number.
    func asNumber(_ kind: PropertyShape.Kind, isOptional: Bool) -> Operand {
        var number = self
        number.kind = kind
        number.typeSQL = nil
        number.targetClass = nil
        number.isOptional = isOptional
        return number
    }

    func invalid(_ reason: String) -> QueryError {
        .invalidComparison(path: path, className: className, reason: reason)
    }

    /// Checks that an aggregate is defined for the values.
    func check(_ aggregate: QueryPredicate.Aggregate) throws(QueryError) {
        switch kind {
        case .int, .float, .double: return
        case .decimal128, .any: return
        case .date:
            guard aggregate == .min || aggregate == .max else {
                throw invalid("@\(aggregate.rawValue) needs numbers")
            }
        case .bool, .string, .data, .objectId, .uuid, .link, .embedded:
            throw invalid("@\(aggregate.rawValue) needs numbers or dates")
        }
    }
}

// MARK: - Numbers

extension Operand {
    /// Whether values are numbers that SQLite compares with each other.
    var isNumber: Bool {
        kind == .int || kind == .float || kind == .double
    }

    /// Whether values may be NaN, which is stored as a blob: greater than every number in SQLite's order.
    var isFloating: Bool {
        kind == .float || kind == .double || kind == .date
    }

    /// Whether a floating-point value is a number: all numbers are smaller than a blob.
    var isNotNaN: SQL { "\(sql) < x''" }

    /// The same number in the form in which decimals are compared.
    var asDecimal: Operand {
        var decimal = self
        decimal.kind = .decimal128
        decimal.typeSQL = nil
        decimal.sql = "\(QueryFunctions.decimalKeyName)(\(sql))"
        return decimal
    }
}
