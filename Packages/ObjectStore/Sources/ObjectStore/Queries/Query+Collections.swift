import ObjectQueries

/// A collection whose elements a query may ask for.
public protocol _QueryCollection: SendableMetatype {
    /// The type of an element; of a map, that of a value.
    associatedtype _QueryElement
}
extension List: _QueryCollection {
    /// The type of an element.
    public typealias _QueryElement = Element
}
extension MutableSet: _QueryCollection {
    /// The type of an element.
    public typealias _QueryElement = Element
}

/// A map whose entries a query may ask for.
public protocol _QueryMap: _QueryCollection {}
extension Map: _QueryMap {
    /// The type of a value.
    public typealias _QueryElement = Value
}

extension Query where T: _QueryCollection {
    /// How many elements the collection has.
    public var count: Query<Int> { Query<Int>(.term(term.aggregated(.count))) }
    /// The smallest element; missing when there is none.
    public var min: Query<T._QueryElement> { Query<T._QueryElement>(.term(term.aggregated(.min))) }
    /// The greatest element; missing when there is none.
    public var max: Query<T._QueryElement> { Query<T._QueryElement>(.term(term.aggregated(.max))) }
    /// The sum of the elements; 0 when there is none.
    public var sum: Query<T._QueryElement> { Query<T._QueryElement>(.term(term.aggregated(.sum))) }
    /// The mean of the elements; missing when there is none.
    public var avg: Query<T._QueryElement> { Query<T._QueryElement>(.term(term.aggregated(.avg))) }

    /// Whether the collection has the element.
    public func contains(_ element: T._QueryElement) -> Query<Bool> { compared(.equal, element) }
    /// Whether the collection has at least one of the elements.
    public func containsAny<S: Sequence>(in elements: S) -> Query<Bool> where S.Element == T._QueryElement {
        isIn(elements)
    }

    /// Whether any element has the value.
    public static func == (left: Query<T>, right: T._QueryElement) -> Query<Bool> { left.compared(.equal, right) }
    /// Whether any element has another value.
    public static func != (left: Query<T>, right: T._QueryElement) -> Query<Bool> { left.compared(.notEqual, right) }
    /// Whether any element is smaller.
    public static func < (left: Query<T>, right: T._QueryElement) -> Query<Bool> { left.compared(.less, right) }
    /// Whether any element is smaller or equal.
    public static func <= (left: Query<T>, right: T._QueryElement) -> Query<Bool> { left.compared(.lessOrEqual, right) }
    /// Whether any element is greater.
    public static func > (left: Query<T>, right: T._QueryElement) -> Query<Bool> { left.compared(.greater, right) }
    /// Whether any element is greater or equal.
    public static func >= (left: Query<T>, right: T._QueryElement) -> Query<Bool> {
        left.compared(.greaterOrEqual, right)
    }
}

extension Query where T: _QueryCollection, T._QueryElement: _Persistable & Comparable {
    /// Whether there are elements, and all of them lie in a range, both ends included.
    public func contains(_ range: ClosedRange<T._QueryElement>) -> Query<Bool> {
        min.compared(.greaterOrEqual, range.lowerBound) && max.compared(.lessOrEqual, range.upperBound)
    }

    /// Whether there are elements, and all of them lie in a range, the upper end excluded.
    public func contains(_ range: Range<T._QueryElement>) -> Query<Bool> {
        min.compared(.greaterOrEqual, range.lowerBound) && max.compared(.less, range.upperBound)
    }
}

extension Query where T: _QueryCollection, T._QueryElement: _TextValue {
    /// Whether any element begins with a text.
    public func starts(with text: T._QueryElement, options: StringOptions = []) -> Query<Bool> {
        compared(.beginsWith, text, options: options.predicateOptions)
    }
    /// Whether any element ends with a text.
    public func ends(with text: T._QueryElement, options: StringOptions = []) -> Query<Bool> {
        compared(.endsWith, text, options: options.predicateOptions)
    }
    /// Whether any element matches a pattern of `*` (any characters) and `?` (one character).
    public func like(_ pattern: T._QueryElement, caseInsensitive: Bool = false) -> Query<Bool> {
        compared(.like, pattern, options: caseInsensitive ? .caseInsensitive : [])
    }
    /// Whether any element equals a text under the options.
    public func equals(_ text: T._QueryElement, options: StringOptions = []) -> Query<Bool> {
        compared(.equal, text, options: options.predicateOptions)
    }
    /// Whether any element differs from a text under the options.
    public func notEquals(_ text: T._QueryElement, options: StringOptions = []) -> Query<Bool> {
        compared(.notEqual, text, options: options.predicateOptions)
    }
}

extension Query where T: _QueryMap {
    /// The value of an entry; missing when there is no such entry.
    public subscript(key: String) -> Query<T._QueryElement> { Query<T._QueryElement>(.term(term.at(.key(key)))) }
    /// The keys; a comparison asks whether any of them fulfils it.
    public var keys: Query<String> { Query<String>(.keys(term.path), collections: term.collections) }
    /// The values; a comparison asks whether any of them fulfils it.
    public var values: Query<T._QueryElement> { cast() }
}
