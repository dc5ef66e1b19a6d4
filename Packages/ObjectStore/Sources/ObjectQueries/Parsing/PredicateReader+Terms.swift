import EventModel

extension PredicateReader {
    /// Reads one side of a comparison.
    mutating func term() throws(QueryError) -> QueryPredicate.Term {
        try descend()
        defer { depth -= 1 }
        let start = token
        switch start.kind {
        case .string:
            advance()
            return .constant(.string(start.text))
        case .integer:
            advance()
            guard let number = Int64(start.text) else { return .constant(try decimal(start)) }
            return .constant(.int(number))
        case .decimal:
            advance()
            let digits = start.text.prefix { $0 != "e" && $0 != "E" }.count { $0.isNumber }
            // A number of 64 bits has 15 to 17 digits; what is written with more is meant to be exact.
            guard digits <= 17, let number = Double(start.text) else { return .constant(try decimal(start)) }
            return .constant(.double(number))
        case .placeholder:
            advance()
            let value = try arguments.next(at: start.position)
            if start.text != "%@" { try checkNumber(value, start) }
            return .constant(value)
        case .symbol:
            guard take("{") else { throw wrong("a property or a value") }
            return .constant(.list(try list()))
        case .word:
            if let constant = keywordConstant() { return .constant(constant) }
            if start.isKeyword("SUBQUERY") { return try subquery() }
            return try path()
        case .escapedName, .pathPlaceholder: return try path()
        case .end: throw wrong("a property or a value")
        }
    }

    private func decimal(_ token: PredicateToken) throws(QueryError) -> Value {
        guard let number = Decimal128(token.text) else { throw wrong("a number", at: token) }
        return .decimal128(number)
    }

    private func checkNumber(_ value: Value, _ placeholder: PredicateToken) throws(QueryError) {
        switch value {
        case .int, .double, .float, .decimal128, .bool: return
        default:
            throw .unsupportedArgument(
                index: arguments.used - 1,
                type: value.typeName,
                expected: "a number for \(placeholder.text)"
            )
        }
    }

    private mutating func keywordConstant() -> Value? {
        let value: Value
        switch token.text.uppercased() {
        case "TRUE", "YES": value = .bool(true)
        case "FALSE", "NO": value = .bool(false)
        case "NULL", "NIL": value = .null
        default: return nil
        }
        advance()
        return value
    }

    /// Reads values up to the closing brace.
    private mutating func list() throws(QueryError) -> [Value] {
        var values: [Value] = []
        guard !take("}") else { return values }
        repeat {
            let start = token
            guard case .constant(let value) = try term() else { throw wrong("a value", at: start) }
            values.append(value)
        } while take(",")
        try expect("}")
        return values
    }
}
