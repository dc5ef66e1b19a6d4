import EventModel

/// Reads the tokens of a predicate by recursive descent.
struct PredicateReader {
    /// How deep parentheses, negations and subqueries may lie in each other.
    private static let maximumDepth = 100

    var tokens: [PredicateToken]
    var arguments: PredicateArguments
    private var index = 0
    /// How many parentheses, negations, lists and brackets are open.
    var depth = 0
    /// The variable of the subquery that is being read.
    var variable: String?

    init(tokens: [PredicateToken], arguments: PredicateArguments) {
        self.tokens = tokens
        self.arguments = arguments
    }

    /// Reads all tokens.
    mutating func predicate() throws(QueryError) -> QueryPredicate {
        let predicate = try disjunction()
        guard token.kind == .end else { throw wrong("AND, OR or the end of the text") }
        guard arguments.used == arguments.count else {
            throw .unusedArguments(used: arguments.used, given: arguments.count)
        }
        return predicate
    }

    // MARK: - Logic

    mutating func disjunction() throws(QueryError) -> QueryPredicate {
        var parts = [try conjunction()]
        while take(keyword: "OR") || take("||") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func conjunction() throws(QueryError) -> QueryPredicate {
        var parts = [try negation()]
        while take(keyword: "AND") || take("&&") { parts.append(try negation()) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func negation() throws(QueryError) -> QueryPredicate {
        try descend()
        defer { depth -= 1 }
        if take(keyword: "NOT") || take("!") { return .not(try negation()) }
        if take("(") {
            let inner = try disjunction()
            try expect(")")
            return inner
        }
        if take(keyword: "TRUEPREDICATE") { return .always }
        if take(keyword: "FALSEPREDICATE") { return .never }
        return try comparison()
    }

    /// Goes one level deeper; the text of a stranger must not exhaust the stack.
    mutating func descend() throws(QueryError) {
        guard depth < Self.maximumDepth else { throw wrong("less than \(Self.maximumDepth) levels of nesting") }
        depth += 1
    }

    // MARK: - Comparisons

    private mutating func comparison() throws(QueryError) -> QueryPredicate {
        let isQuantified = startsPath(after: index)
        guard !isQuantified || !token.isKeyword("ALL") else {
            throw wrong("ANY or NONE, because ALL cannot be answered")
        }
        let isNone = isQuantified && take(keyword: "NONE")
        let isAny = isNone || (isQuantified && (take(keyword: "ANY") || take(keyword: "SOME")))
        let first = index
        let left = try term()
        let start = token
        let name = try operatorName()
        let options = try options()
        let quantifier: QueryPredicate.Quantifier = isAny || isMany(left, first) ? .any : .one
        let result: QueryPredicate
        switch name {
        case "IN":
            result = try membership(of: left, options, quantifier)
        case "BETWEEN":
            guard case .constant(.list(let bounds)) = try term(), bounds.count == 2 else {
                throw wrong("two values in braces", at: start)
            }
            result = .isBetween(left, bounds[0], bounds[1], quantifier: quantifier)
        case "GEOWITHIN":
            guard options.isEmpty else { throw wrong("no options behind geoWithin", at: start) }
            result = .isWithin(left, try shape(), quantifier: quantifier)
        default:
            guard let comparison = Self.operators[name] else { throw wrong("an operator", at: start) }
            let isArgument = token.kind == .placeholder
            let right = try term()
            // A list in braces is one of choices; an argument may be a list that a value of any type holds.
            if case .constant(.list) = right, !isArgument || (comparison != .equal && comparison != .notEqual) {
                throw wrong("IN or BETWEEN before a list of values", at: start)
            }
            result = .compare(left, comparison, right, options: options, quantifier: quantifier)
        }
        return isNone ? .not(result) : result
    }

    /// Whether a quantifier may stand at an index: a property of that name would be followed by a dot or an operator.
    private func startsPath(after index: Int) -> Bool {
        switch tokens[min(index + 1, tokens.count - 1)].kind {
        case .word: Self.operators[tokens[index + 1].text.uppercased()] == nil && !isListOperator(tokens[index + 1])
        case .escapedName, .pathPlaceholder, .string, .integer, .decimal, .placeholder: true
        case .symbol, .end: false
        }
    }

    private func isListOperator(_ token: PredicateToken) -> Bool {
        token.isKeyword("IN") || token.isKeyword("BETWEEN") || token.isKeyword("GEOWITHIN")
    }

    /// Whether a term means several values without a quantifier before it.
    private func isMany(_ term: QueryPredicate.Term, _ first: Int) -> Bool {
        switch term {
        case .keys: true
        case .element(_, let places, then: _): places.contains(.any)
        case .path: tokens[first..<index].contains { $0.kind == .word && $0.text == "@allValues" }
        case .constant, .object, .aggregate, .subqueryCount: false
        }
    }

    private mutating func membership(
        of left: QueryPredicate.Term,
        _ options: QueryPredicate.Options,
        _ quantifier: QueryPredicate.Quantifier
    ) throws(QueryError) -> QueryPredicate {
        let start = token
        if start.kind == .placeholder, start.text == "%@", arguments.isShapeNext {
            guard options.isEmpty else { throw wrong("no options before a shape", at: start) }
            return .isWithin(left, try shape(), quantifier: quantifier)
        }
        let right = try term()
        switch (left, right) {
        case (.constant(.list), _):
            throw wrong("a single value or a path on the left of IN", at: start)
        case (_, .constant(.list(let values))):
            return .isIn(left, values, options: options, quantifier: quantifier)
        case (.path, .path) where quantifier == .any, (.object, .path) where quantifier == .any:
            throw wrong("values in braces, or an argument that is a collection", at: start)
        case (.constant, .path), (.constant, .keys), (.path, .path), (.object, .path):
            // A value in a collection: one of its elements is equal.
            return .compare(right, .equal, left, options: options, quantifier: .any)
        case (.constant, .element(let path, let places, then: .itself)):
            let inside: QueryPredicate.Term = .element(path, places + [.any])
            return .compare(inside, .equal, left, options: options, quantifier: .any)
        default:
            throw wrong("values in braces, or an argument that is a collection", at: start)
        }
    }

    private static let operators: [String: QueryPredicate.Operator] = [
        "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual,
        "<": .less, "<=": .lessOrEqual, "=<": .lessOrEqual,
        ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
        "CONTAINS": .contains, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "LIKE": .like,
    ]

    private mutating func operatorName() throws(QueryError) -> String {
        let name = token.text.uppercased()
        let isKeyword = token.kind == .word && (Self.operators[name] != nil || isListOperator(token))
        guard isKeyword || (token.kind == .symbol && Self.operators[name] != nil) else { throw wrong("an operator") }
        index += 1
        return name
    }

    private mutating func options() throws(QueryError) -> QueryPredicate.Options {
        guard take("[") else { return [] }
        let options: QueryPredicate.Options
        switch token.text.lowercased() {
        case "c": options = .caseInsensitive
        case "d": options = .diacriticInsensitive
        case "cd", "dc": options = [.caseInsensitive, .diacriticInsensitive]
        default: throw wrong("c, d or cd")
        }
        index += 1
        try expect("]")
        return options
    }

    // MARK: - Tokens

    /// The token that is read next.
    var token: PredicateToken { tokens[index] }

    /// Goes past the token.
    mutating func advance() {
        index = min(index + 1, tokens.count - 1)
    }

    /// Goes past a symbol if it is next.
    mutating func take(_ symbol: String) -> Bool {
        guard token.isSymbol(symbol) else { return false }
        advance()
        return true
    }

    /// Goes past a keyword if it is next.
    mutating func take(keyword: String) -> Bool {
        guard token.isKeyword(keyword) else { return false }
        advance()
        return true
    }

    /// Goes past a symbol that must be next.
    mutating func expect(_ symbol: String) throws(QueryError) {
        guard take(symbol) else { throw wrong("'\(symbol)'") }
    }

    /// The error for a token.
    func wrong(_ expected: String, at token: PredicateToken? = nil) -> QueryError {
        let token = token ?? self.token
        return .syntax(position: token.position, token: token.text, expected: expected)
    }
}
