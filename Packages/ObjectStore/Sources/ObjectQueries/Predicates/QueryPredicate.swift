public import EventModel
public import Geospatial

/// A condition on objects of one class: a pure value that ``QueryCompiler`` checks against a schema and turns into SQL.
///
/// Conditions have two values: a comparison with a missing value is false, and its negation is true. Build one by hand,
/// with the operators `&&`, `||` and `!`, or from text with ``PredicateParser``:
///
/// ```swift
/// let adults: QueryPredicate = .compare(.path("age"), .greaterOrEqual, .constant(.int(18)))
/// let named: QueryPredicate = .compare(
///     .path("name"), .beginsWith, .constant(.string("b")), options: .caseInsensitive
/// )
/// let both = adults && named
/// ```
public indirect enum QueryPredicate: Sendable, Hashable {
    /// True for every object.
    case always
    /// False for every object.
    case never
    /// True where the condition is not.
    case not(QueryPredicate)
    /// True where all conditions are; with none, true.
    case and([QueryPredicate])
    /// True where at least one condition is; with none, false.
    case or([QueryPredicate])
    /// Compares two terms, of which at least one is not a constant.
    case compare(Term, Operator, Term, options: Options = [], quantifier: Quantifier = .one)
    /// True where the term equals one of the values; with none, false.
    case isIn(Term, [Value], options: Options = [], quantifier: Quantifier = .one)
    /// True where the term is at least the first value and at most the second.
    case isBetween(Term, Value, Value, quantifier: Quantifier = .one)
    /// True where the object of the term is a point on the earth that lies in a shape.
    case isWithin(Term, GeoRegion, quantifier: Quantifier = .one)
}

extension QueryPredicate {
    /// What a comparison asks of its two terms.
    public enum Operator: Sendable, Hashable {
        /// Both are equal; two missing values are.
        case equal
        /// Both differ; a missing value differs from every other one.
        case notEqual
        /// The left one is smaller.
        case less
        /// The left one is smaller or equal.
        case lessOrEqual
        /// The left one is greater.
        case greater
        /// The left one is greater or equal.
        case greaterOrEqual
        /// The right text or data is part of the left.
        case contains
        /// The left text or data begins with the right.
        case beginsWith
        /// The left text or data ends with the right.
        case endsWith
        /// The left text matches the right, where `*` stands for any characters and `?` for any one.
        case like

        /// The operator that asks the same with the terms exchanged, or nil when there is none.
        public var flipped: Operator? {
            switch self {
            case .equal, .notEqual: self
            case .less: .greater
            case .lessOrEqual: .greaterOrEqual
            case .greater: .less
            case .greaterOrEqual: .lessOrEqual
            case .contains, .beginsWith, .endsWith, .like: nil
            }
        }
    }

    /// How text is compared; without options, byte by byte.
    public struct Options: OptionSet, Sendable, Hashable {
        /// One bit for each option; the SQL functions take it as an integer.
        public let rawValue: Int

        /// Creates options from their bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Upper and lower case of every script are the same: `[c]`.
        public static let caseInsensitive = Options(rawValue: 1)
        /// Letters with and without diacritics are the same: `[d]`.
        public static let diacriticInsensitive = Options(rawValue: 2)
    }

    /// Of how many elements a comparison must be true.
    public enum Quantifier: Sendable, Hashable {
        /// The left path leads to one value.
        case one
        /// The left path leads through a collection, and one of its elements is enough.
        case any
    }

    /// What is computed from the elements of a collection.
    public enum Aggregate: String, Sendable, Hashable {
        /// How many elements there are.
        case count
        /// The smallest element; missing when there is none.
        case min
        /// The greatest element; missing when there is none.
        case max
        /// The sum of the elements; 0 when there is none.
        case sum
        /// The mean of the elements; missing when there is none.
        case avg
    }
}

// MARK: - Combination

extension QueryPredicate {
    /// True where both conditions are.
    public static func && (left: QueryPredicate, right: QueryPredicate) -> QueryPredicate {
        switch (left, right) {
        case (.and(let first), .and(let second)): .and(first + second)
        case (.and(let first), _): .and(first + [right])
        case (_, .and(let second)): .and([left] + second)
        default: .and([left, right])
        }
    }

    /// True where at least one condition is.
    public static func || (left: QueryPredicate, right: QueryPredicate) -> QueryPredicate {
        switch (left, right) {
        case (.or(let first), .or(let second)): .or(first + second)
        case (.or(let first), _): .or(first + [right])
        case (_, .or(let second)): .or([left] + second)
        default: .or([left, right])
        }
    }

    /// True where the condition is not.
    public static prefix func ! (predicate: QueryPredicate) -> QueryPredicate {
        .not(predicate)
    }
}
