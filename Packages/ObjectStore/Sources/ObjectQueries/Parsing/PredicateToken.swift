/// A word of the predicate language.
struct PredicateToken: Equatable {
    /// What kind of word it is.
    enum Kind: Equatable {
        /// A name, keyword, `@` function or `$` variable.
        case word
        /// A name after `#`, which is never a keyword.
        case escapedName
        /// Text in quotes; the token's text is without them and with escapes replaced.
        case string
        /// A number without fraction or exponent.
        case integer
        /// Another number.
        case decimal
        /// An operator, bracket, comma or dot.
        case symbol
        /// `%K`.
        case pathPlaceholder
        /// `%@`, `%d` and the like.
        case placeholder
        /// The end of the text.
        case end
    }

    /// What kind of word it is.
    let kind: Kind
    /// The word.
    let text: String
    /// Where it begins, in characters from the start of the text.
    let position: Int

    /// Whether this is the keyword, in any case.
    func isKeyword(_ keyword: String) -> Bool {
        kind == .word && text.uppercased() == keyword
    }

    /// Whether this is the operator, bracket or other symbol.
    func isSymbol(_ symbol: String) -> Bool {
        kind == .symbol && text == symbol
    }
}
