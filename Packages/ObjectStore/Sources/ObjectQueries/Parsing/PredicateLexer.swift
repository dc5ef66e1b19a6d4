/// Splits the text of a predicate into tokens.
struct PredicateLexer {
    private let characters: [Character]
    private var position = 0

    init(_ text: String) {
        characters = Array(text)
    }

    /// Returns all tokens, the last of which is the end.
    mutating func tokens() throws(QueryError) -> [PredicateToken] {
        var tokens: [PredicateToken] = []
        while true {
            let token = try next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    private mutating func next() throws(QueryError) -> PredicateToken {
        while let character = peek(), character.isWhitespace { position += 1 }
        let start = position
        guard let first = peek() else { return PredicateToken(kind: .end, text: "end of text", position: start) }
        switch first {
        case "'", "\"": return try string(quote: first)
        case "%": return try placeholder()
        case "#":
            position += 1
            let name = take { Self.isNamePart($0) }
            guard !name.isEmpty else { throw wrong(start, "#", "a name after #") }
            return PredicateToken(kind: .escapedName, text: name, position: start)
        case "@", "$":
            position += 1
            let name = take { Self.isNamePart($0) }
            guard !name.isEmpty else { throw wrong(start, String(first), "a name after \(first)") }
            return PredicateToken(kind: .word, text: String(first) + name, position: start)
        case _ where Self.isDigit(first) || (first == "-" && peek(1).map(Self.isDigit) == true):
            return number()
        case _ where Self.isNamePart(first):
            return PredicateToken(kind: .word, text: take { Self.isNamePart($0) }, position: start)
        default: return try symbol()
        }
    }

    private mutating func number() -> PredicateToken {
        let start = position
        if peek() == "-" { position += 1 }
        _ = take(Self.isDigit)
        var kind = PredicateToken.Kind.integer
        if peek() == ".", peek(1).map(Self.isDigit) == true {
            kind = .decimal
            position += 1
            _ = take(Self.isDigit)
        }
        if peek() == "e" || peek() == "E" {
            let signs = peek(1) == "+" || peek(1) == "-" ? 1 : 0
            if peek(1 + signs).map(Self.isDigit) == true {
                kind = .decimal
                position += 1 + signs
                _ = take(Self.isDigit)
            }
        }
        return PredicateToken(kind: kind, text: String(characters[start..<position]), position: start)
    }

    private mutating func string(quote: Character) throws(QueryError) -> PredicateToken {
        let start = position
        position += 1
        var text = ""
        while let character = peek() {
            position += 1
            if character == quote { return PredicateToken(kind: .string, text: text, position: start) }
            guard character == "\\" else {
                text.append(character)
                continue
            }
            guard let escaped = peek() else { break }
            position += 1
            switch escaped {
            case "n": text.append("\n")
            case "r": text.append("\r")
            case "t": text.append("\t")
            case "u": text.unicodeScalars.append(try escapedScalar())
            default: text.append(escaped)
            }
        }
        throw wrong(start, String(quote), "a closing quote")
    }

    private mutating func escapedScalar() throws(QueryError) -> Unicode.Scalar {
        let start = position - 2
        let digits = take(count: 4)
        guard digits.count == 4, let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else {
            throw wrong(start, "\\u\(digits)", "a character as four hexadecimal digits")
        }
        return scalar
    }

    private mutating func placeholder() throws(QueryError) -> PredicateToken {
        let start = position
        position += 1
        var text = "%"
        while let character = peek(), "lhqz".contains(character) {
            text.append(character)
            position += 1
        }
        guard let type = peek(), "@Kdiuxfgeas".contains(type), text == "%" || !"@K".contains(type) else {
            throw wrong(start, text, "a placeholder such as %@, %K or %d")
        }
        position += 1
        text.append(type)
        return PredicateToken(kind: type == "K" ? .pathPlaceholder : .placeholder, text: text, position: start)
    }

    private mutating func symbol() throws(QueryError) -> PredicateToken {
        let start = position
        let pair = String(characters[start..<min(start + 2, characters.count)])
        if ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||"].contains(pair) {
            position += 2
            return PredicateToken(kind: .symbol, text: pair, position: start)
        }
        let single = String(characters[start])
        guard "=<>!(){}[],.".contains(single) else { throw wrong(start, single, "a name, value or operator") }
        position += 1
        return PredicateToken(kind: .symbol, text: single, position: start)
    }

    // MARK: - Characters

    private func peek(_ distance: Int = 0) -> Character? {
        position + distance < characters.count ? characters[position + distance] : nil
    }

    private mutating func take(_ isIncluded: (Character) -> Bool) -> String {
        let start = position
        while let character = peek(), isIncluded(character) { position += 1 }
        return String(characters[start..<position])
    }

    private mutating func take(count: Int) -> String {
        let start = position
        position = min(position + count, characters.count)
        return String(characters[start..<position])
    }

    private func wrong(_ position: Int, _ token: String, _ expected: String) -> QueryError {
        .syntax(position: position, token: token, expected: expected)
    }

    private static func isDigit(_ character: Character) -> Bool {
        ("0"..."9").contains(character)
    }

    private static func isNamePart(_ character: Character) -> Bool {
        character == "_" || character.isLetter || character.isNumber
    }
}
