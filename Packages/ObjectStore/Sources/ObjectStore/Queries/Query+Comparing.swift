import ObjectQueries

extension Query where T: _Persistable {
    /// Whether the property has the value; nil equals nil.
    public static func == (left: Query<T>, right: T) -> Query<Bool> { left.compared(.equal, right) }
    /// Whether the property has another value.
    public static func != (left: Query<T>, right: T) -> Query<Bool> { left.compared(.notEqual, right) }
    /// Whether the property is smaller.
    public static func < (left: Query<T>, right: T) -> Query<Bool> { left.compared(.less, right) }
    /// Whether the property is smaller or equal.
    public static func <= (left: Query<T>, right: T) -> Query<Bool> { left.compared(.lessOrEqual, right) }
    /// Whether the property is greater.
    public static func > (left: Query<T>, right: T) -> Query<Bool> { left.compared(.greater, right) }
    /// Whether the property is greater or equal.
    public static func >= (left: Query<T>, right: T) -> Query<Bool> { left.compared(.greaterOrEqual, right) }

    /// Whether the property has one of the values.
    public func `in`<S: Sequence>(_ values: S) -> Query<Bool> where S.Element == T {
        let (term, quantifier) = term
        return Query<Bool>(.condition(.isIn(term, values.map(Self.constant), quantifier: quantifier)))
    }
}

extension Query where T: _Persistable & Comparable {
    /// Whether the property lies in a range, both ends included.
    public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
        let (term, quantifier) = term
        return Query<Bool>(
            .condition(
                .isBetween(
                    term,
                    Self.constant(range.lowerBound),
                    Self.constant(range.upperBound),
                    quantifier: quantifier
                )
            )
        )
    }

    /// Whether the property lies in a range, the upper end excluded.
    public func contains(_ range: Range<T>) -> Query<Bool> {
        self >= range.lowerBound && self < range.upperBound
    }
}

extension Query where T == Bool {
    /// Whether both conditions are fulfilled.
    public static func && (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
        Query(.condition(left.predicate && right.predicate))
    }
    /// Whether at least one condition is fulfilled.
    public static func || (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
        Query(.condition(left.predicate || right.predicate))
    }
    /// Whether the condition is not fulfilled.
    public static prefix func ! (query: Query<Bool>) -> Query<Bool> {
        Query(.condition(!query.predicate))
    }
}

/// How a query compares text.
public struct StringOptions: OptionSet, Sendable {
    /// One bit for each option.
    public let rawValue: Int

    /// Creates options from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Upper and lower case are the same.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// Letters with and without diacritics are the same.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)

    var predicateOptions: QueryPredicate.Options { QueryPredicate.Options(rawValue: rawValue) }
}

/// Text or optional text.
public protocol _TextValue: _Persistable {}
extension String: _TextValue {}
extension Optional: _TextValue where Wrapped == String {}

extension Query where T: _TextValue {
    /// Whether the text contains another one.
    public func contains(_ text: T, options: StringOptions = []) -> Query<Bool> {
        compared(.contains, text, options: options.predicateOptions)
    }
    /// Whether the text begins with another one.
    public func starts(with text: T, options: StringOptions = []) -> Query<Bool> {
        compared(.beginsWith, text, options: options.predicateOptions)
    }
    /// Whether the text ends with another one.
    public func ends(with text: T, options: StringOptions = []) -> Query<Bool> {
        compared(.endsWith, text, options: options.predicateOptions)
    }
    /// Whether the text matches a pattern of `*` (any characters) and `?` (one character).
    public func like(_ pattern: T, caseInsensitive: Bool = false) -> Query<Bool> {
        compared(.like, pattern, options: caseInsensitive ? .caseInsensitive : [])
    }
    /// Whether the text equals another one under the options.
    public func equals(_ text: T, options: StringOptions = []) -> Query<Bool> {
        compared(.equal, text, options: options.predicateOptions)
    }
}
