import EventModel

extension PredicateReader {
    /// Reads one side of a comparison.
    mutating func term() throws(QueryError) -> QueryPredicate.Term {
        let start = token
        switch start.kind {
        case .string:
            advance()
            return .constant(.string(start.text))
        case .integer:
            advance()
            guard let number = Int64(start.text) else { throw wrong("an integer of at most 64 bits", at: start) }
            return .constant(.int(number))
        case .decimal:
            advance()
            guard let number = Double(start.text) else { throw wrong("a number", at: start) }
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

    private func checkNumber(_ value: Value, _ placeholder: PredicateToken) throws(QueryError) {
        switch value {
        case .int, .double, .float, .bool: return
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

    // MARK: - Paths

    private mutating func path() throws(QueryError) -> QueryPredicate.Term {
        let start = token
        var names: [String] = []
        repeat {
            switch token.kind {
            case .word, .escapedName: names.append(token.text)
            case .pathPlaceholder:
                names += PropertyPath(dotted: try arguments.nextPath(at: token.position)).components
            default: throw wrong("the name of a property")
            }
            advance()
        } while take(".")
        guard take("[") else { return try term(of: names, start) }
        guard case .path(let map) = try term(of: names, start) else { throw wrong("a map before [", at: start) }
        let key = token
        guard case .constant(.string(let name)) = try term() else { throw wrong("the key of a map as text", at: key) }
        try expect("]")
        return .entry(map, key: name)
    }

    /// Takes the functions that begin with `@` out of the names of a path.
    private func term(of names: [String], _ start: PredicateToken) throws(QueryError) -> QueryPredicate.Term {
        var names = names
        if let variable {
            // Inside a subquery every path starts at its variable.
            guard names.first == variable else { throw wrong("a path that begins with \(variable)", at: start) }
            names.removeFirst()
        }
        if names.isEmpty || (names.count == 1 && names[0].lowercased() == "self") { return .object }
        guard let function = names.firstIndex(where: { $0.hasPrefix("@") }) else {
            guard !names.contains(where: { $0.hasPrefix("$") || $0.isEmpty }) else {
                throw wrong("the name of a property", at: start)
            }
            return .path(PropertyPath(names))
        }
        let collection = PropertyPath(Array(names[..<function]))
        let element = PropertyPath(Array(names[(function + 1)...]))
        let name = String(names[function].dropFirst())
        switch name {
        case "count" where element == .itself, "size" where element == .itself:
            return .aggregate(.count, of: collection)
        case "allKeys" where element == .itself: return .keys(collection)
        case "allValues" where element == .itself: return .path(collection)
        default:
            guard let aggregate = QueryPredicate.Aggregate(rawValue: name), aggregate != .count else {
                throw wrong("@count, @min, @max, @sum, @avg, @allKeys or @allValues", at: start)
            }
            return .aggregate(aggregate, of: collection, element: element)
        }
    }

    // MARK: - Subqueries

    /// Reads `SUBQUERY(path, $variable, predicate).@count`.
    private mutating func subquery() throws(QueryError) -> QueryPredicate.Term {
        advance()
        try expect("(")
        let start = token
        guard case .path(let collection) = try term() else { throw wrong("the path of a collection", at: start) }
        try expect(",")
        guard token.kind == .word, token.text.hasPrefix("$") else { throw wrong("a variable such as $item") }
        let outer = variable
        variable = token.text
        advance()
        try expect(",")
        let predicate = try disjunction()
        variable = outer
        try expect(")")
        try expect(".")
        guard token.text == "@count" || token.text == "@size" else { throw wrong("@count") }
        advance()
        return .subqueryCount(collection, predicate)
    }
}
