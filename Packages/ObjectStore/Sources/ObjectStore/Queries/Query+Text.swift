public import Foundation
import ObjectQueries

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
    /// Whether the text differs from another one under the options.
    public func notEquals(_ text: T, options: StringOptions = []) -> Query<Bool> {
        compared(.notEqual, text, options: options.predicateOptions)
    }

    /// Whether the text contains that of another property.
    public func contains<V: _TextValue>(_ property: Query<V>, options: StringOptions = []) -> Query<Bool> {
        compared(.contains, with: property, options: options.predicateOptions)
    }
    /// Whether the text begins with that of another property.
    public func starts<V: _TextValue>(with property: Query<V>, options: StringOptions = []) -> Query<Bool> {
        compared(.beginsWith, with: property, options: options.predicateOptions)
    }
    /// Whether the text ends with that of another property.
    public func ends<V: _TextValue>(with property: Query<V>, options: StringOptions = []) -> Query<Bool> {
        compared(.endsWith, with: property, options: options.predicateOptions)
    }
    /// Whether the text matches the pattern in another property.
    public func like<V: _TextValue>(_ property: Query<V>, caseInsensitive: Bool = false) -> Query<Bool> {
        compared(.like, with: property, options: caseInsensitive ? .caseInsensitive : [])
    }
    /// Whether the text equals that of another property under the options.
    public func equals<V: _TextValue>(_ property: Query<V>, options: StringOptions = []) -> Query<Bool> {
        compared(.equal, with: property, options: options.predicateOptions)
    }
    /// Whether the text differs from that of another property under the options.
    public func notEquals<V: _TextValue>(_ property: Query<V>, options: StringOptions = []) -> Query<Bool> {
        compared(.notEqual, with: property, options: options.predicateOptions)
    }
}

// MARK: - Data

/// Data or optional data.
public protocol _BinaryValue: _Persistable {}
extension Data: _BinaryValue {}
extension Optional: _BinaryValue where Wrapped == Data {}

extension Query where T: _BinaryValue {
    /// Whether the bytes are part of the data.
    public func contains(_ bytes: T) -> Query<Bool> { compared(.contains, bytes) }
    /// Whether the data begins with the bytes.
    public func starts(with bytes: T) -> Query<Bool> { compared(.beginsWith, bytes) }
    /// Whether the data ends with the bytes.
    public func ends(with bytes: T) -> Query<Bool> { compared(.endsWith, bytes) }
    /// Whether the data has exactly these bytes.
    public func equals(_ bytes: T) -> Query<Bool> { compared(.equal, bytes) }
    /// Whether the data has other bytes.
    public func notEquals(_ bytes: T) -> Query<Bool> { compared(.notEqual, bytes) }
}
