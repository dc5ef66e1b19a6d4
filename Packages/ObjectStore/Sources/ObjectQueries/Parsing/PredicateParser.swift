public import EventModel

/// Reads predicates as text, in the language of `NSPredicate` as far as a database can answer it.
///
/// ```swift
/// let parser = PredicateParser()
/// let predicate = try parser.parse("age >= %d AND name BEGINSWITH[c] %@", arguments: [18, "b"])
/// ```
public struct PredicateParser {
    private let convert: (Any) -> Value?

    /// Creates a parser.
    ///
    /// - Parameter convert: Turns arguments of the app's own types, such as enumerations and objects, into values.
    public init(convert: @escaping (Any) -> Value? = { _ in nil }) {
        self.convert = convert
    }

    /// Reads a predicate.
    ///
    /// - Parameters:
    ///   - format: The text; `%K` stands for a path, `%@`, `%d` and so on stand for a value.
    ///   - arguments: What the placeholders stand for, in order.
    /// - Returns: The predicate, not yet checked against a schema.
    /// - Throws: ``QueryError`` when the text does not follow the grammar, or the arguments do not fit the placeholders.
    /// - Complexity: O(*n*) in the length of the text.
    public func parse(_ format: String, arguments: [Any?] = []) throws(QueryError) -> QueryPredicate {
        var lexer = PredicateLexer(format)
        var reader = PredicateReader(
            tokens: try lexer.tokens(),
            arguments: PredicateArguments(arguments, convert: convert)
        )
        return try reader.predicate()
    }
}
