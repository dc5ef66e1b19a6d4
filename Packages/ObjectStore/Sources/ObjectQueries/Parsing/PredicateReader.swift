import EventModel

/// Reads the tokens of a predicate by recursive descent.
struct PredicateReader {
    /// How deep parentheses, negations and subqueries may lie in each other.
    private static let maximumDepth = 100

    var tokens: [PredicateToken]
    var arguments: PredicateArguments
    private var index = 0
    private var depth = 0
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
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw wrong("less than \(Self.maximumDepth) levels of nesting") }
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

    // MARK: - Comparisons

    private mutating func comparison() throws(QueryError) -> QueryPredicate {
        guard !token.isKeyword("ALL") else { throw wrong("ANY or NONE, because ALL cannot be answered") }
        let isNone = take(keyword: "NONE")
        let isAny = isNone || take(keyword: "ANY") || take(keyword: "SOME")
        let left = try term()
        let start = token
        let name = try operatorName()
        let options = try options()
        var quantifier: QueryPredicate.Quantifier = isAny ? .any : .one
        let result: QueryPredicate
        switch name {
        case "IN":
            result = try membership(of: left, options, &quantifier)
        case "BETWEEN":
            guard case .constant(.list(let bounds)) = try term(), bounds.count == 2 else {
                throw wrong("two values in braces", at: start)
            }
            result = .isBetween(left, bounds[0], bounds[1], quantifier: quantifier)
        default:
            guard let comparison = Self.operators[name] else { throw wrong("an operator", at: start) }
            let right = try term()
            if case .constant(.list) = right { throw wrong("IN or BETWEEN before a list of values", at: start) }
            result = .compare(left, comparison, right, options: options, quantifier: quantifier)
        }
        return isNone ? .not(result) : result
    }

    private mutating func membership(
        of left: QueryPredicate.Term,
        _ options: QueryPredicate.Options,
        _ quantifier: inout QueryPredicate.Quantifier
    ) throws(QueryError) -> QueryPredicate {
        let start = token
        let right = try term()
        switch (left, right) {
        case (.constant(.list), _):
            throw wrong("a single value or a path on the left of IN", at: start)
        case (_, .constant(.list(let values))):
            return .isIn(left, values, options: options, quantifier: quantifier)
        case (.constant, .path), (.constant, .keys):
            // A value in a collection: one of its elements is equal.
            return .compare(right, .equal, left, options: options, quantifier: .any)
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
        let isKeyword = token.kind == .word && (Self.operators[name] != nil || name == "IN" || name == "BETWEEN")
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
