import ObjectQueries

/// All places of a list or dictionary inside a value of any type, in the brackets of a query.
///
/// ```swift
/// realm.objects(Setting.self).where { $0.value["colors"][.any] == .string("red") }
/// ```
public enum QueryPlaces: Sendable {
    /// Any of the elements, or of the values of a dictionary.
    case any
}

// A property of any type may hold lists and dictionaries, with others inside.
extension Query where T == AnyRealmValue {
    /// The value at an index of a list; missing where the property holds no list, or a shorter one.
    ///
    /// - Precondition: The index is at least 0.
    public subscript(index: Int) -> Query<AnyRealmValue> {
        guard index >= 0 else {
            misuse("The index \(index) in a query is negative; the elements of a list begin at 0.")
        }
        return at(.index(index))
    }

    /// The value of an entry of a dictionary; missing where the property holds no dictionary, or no such entry.
    public subscript(key: String) -> Query<AnyRealmValue> { at(.key(key)) }

    /// Every value of the list or dictionary; a comparison asks whether any of them fulfils it.
    public subscript(places: QueryPlaces) -> Query<AnyRealmValue> { at(.any) }

    /// Every value of the list or dictionary; a comparison asks whether any of them fulfils it.
    public var any: Query<AnyRealmValue> { at(.any) }

    private func at(_ place: QueryPredicate.Subscript) -> Query<AnyRealmValue> {
        Query<AnyRealmValue>(.term(term.at(place)))
    }
}

extension Query where T == AnyRealmValue {
    /// Whether the value is text with another one in it.
    public func contains(_ text: String, options: StringOptions = []) -> Query<Bool> {
        compared(.contains, text, options: options.predicateOptions)
    }
    /// Whether the value is text that begins with another one.
    public func starts(with text: String, options: StringOptions = []) -> Query<Bool> {
        compared(.beginsWith, text, options: options.predicateOptions)
    }
    /// Whether the value is text that ends with another one.
    public func ends(with text: String, options: StringOptions = []) -> Query<Bool> {
        compared(.endsWith, text, options: options.predicateOptions)
    }
    /// Whether the value is text that matches a pattern of `*` (any characters) and `?` (one character).
    public func like(_ pattern: String, caseInsensitive: Bool = false) -> Query<Bool> {
        compared(.like, pattern, options: caseInsensitive ? .caseInsensitive : [])
    }
}

extension AnyRealmValue: _QueryNumeric {}
