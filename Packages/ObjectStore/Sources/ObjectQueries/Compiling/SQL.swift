import EventModel

/// A piece of SQL with the values of its placeholders, in the order of the text.
struct SQL {
    var text: String
    var arguments: [Value] = []

    init(_ text: String, _ arguments: [Value] = []) {
        self.text = text
        self.arguments = arguments
    }

    static func argument(_ value: Value) -> SQL {
        SQL("?", [value])
    }

    /// Combines conditions; long lists are halved because SQLite limits the depth of an expression to 1000.
    static func joined(_ parts: [SQL], by separator: String) -> SQL {
        guard parts.count <= 128 else {
            let middle = parts.count / 2
            let left = joined(Array(parts[..<middle]), by: separator)
            let right = joined(Array(parts[middle...]), by: separator)
            return "(\(left))\(separator)(\(right))"
        }
        return SQL(parts.map(\.text).joined(separator: separator), parts.flatMap(\.arguments))
    }
}

// Interpolating SQL into SQL keeps the arguments in the order of the text.
extension SQL: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        var sql = SQL("")

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) {
            sql.text += literal
        }

        mutating func appendInterpolation(_ other: SQL) {
            sql.text += other.text
            sql.arguments += other.arguments
        }

        /// Text that is part of the statement: names and keywords, never a value.
        mutating func appendInterpolation(_ text: String) {
            sql.text += text
        }

        mutating func appendInterpolation(_ number: Int) {
            sql.text += String(number)
        }
    }

    init(stringLiteral value: String) {
        self.init(value)
    }

    init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }
}
