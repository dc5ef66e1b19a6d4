import EventModel

extension PredicateReader {
    /// Reads a path, with what stands in brackets behind it.
    mutating func path() throws(QueryError) -> QueryPredicate.Term {
        let start = token
        let names = try names()
        var subscripts: [QueryPredicate.Subscript] = []
        while take("[") {
            subscripts.append(try place())
            try expect("]")
        }
        let term = try term(of: names, start)
        guard !subscripts.isEmpty else { return term }
        guard case .path(let collection) = term else {
            throw wrong("a map, a list or a property of any type before [", at: start)
        }
        let next = token
        let rest = take(".") ? try self.names() : []
        guard rest.allSatisfy(Self.isProperty) else { throw wrong("the name of a property", at: next) }
        return .element(collection, subscripts, then: PropertyPath(rest))
    }

    private mutating func names() throws(QueryError) -> [String] {
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
        return names
    }

    /// Reads what stands in brackets: a key, an index or `#any`.
    private mutating func place() throws(QueryError) -> QueryPredicate.Subscript {
        let start = token
        if start.kind == .escapedName, start.text.lowercased() == "any" {
            advance()
            return .any
        }
        switch try term() {
        case .constant(.string(let key)): return .key(key)
        case .constant(.int(let index)):
            guard let index = Int(exactly: index), index >= 0 else { break }
            return .index(index)
        default: break
        }
        throw wrong("a key as text, an index from 0 or #any", at: start)
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
            guard names.allSatisfy(Self.isProperty) else { throw wrong("the name of a property", at: start) }
            return .path(PropertyPath(names))
        }
        let collection = PropertyPath(Array(names[..<function]))
        let element = PropertyPath(Array(names[(function + 1)...]))
        guard (collection.components + element.components).allSatisfy(Self.isProperty) else {
            throw wrong("the name of a property", at: start)
        }
        switch names[function].dropFirst() {
        case "count" where element == .itself, "size" where element == .itself:
            return .aggregate(.count, of: collection)
        case "allKeys" where element == .itself: return .keys(collection)
        case "allValues" where element == .itself: return .path(collection)
        case let name:
            guard let aggregate = QueryPredicate.Aggregate(rawValue: String(name)), aggregate != .count else {
                throw wrong("@count, @min, @max, @sum, @avg, @allKeys or @allValues", at: start)
            }
            return .aggregate(aggregate, of: collection, element: element)
        }
    }

    private static func isProperty(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("@") && !name.hasPrefix("$")
    }

    /// Reads `SUBQUERY(path, $variable, predicate).@count`.
    mutating func subquery() throws(QueryError) -> QueryPredicate.Term {
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
