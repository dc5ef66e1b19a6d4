/// What ``Results``, ``List``, ``MutableSet``, ``LinkingObjects`` and ``AnyRealmCollection`` have in common.
///
/// A collection of a realm is live: it shows the version that its realm reads. What is filtered, sorted or made distinct
/// is a ``Results``. As collections are lazy, `map` and `filter` with a closure make lazy collections unless an array is
/// asked for.
///
/// The collection of an unmanaged object is plain memory. It can be sorted, made distinct and aggregated, too; the result
/// holds the elements as they were.
public protocol RealmCollection<Element>: RandomAccessCollection, LazyCollectionProtocol, Equatable, ThreadConfined,
    _QuerySource, CustomStringConvertible
where Element: RealmCollectionValue, Index == Int, _Found == Element {
    /// The first element; nil when there is none.
    var first: Element? { get }
    /// The last element; nil when there is none.
    var last: Element? { get }
    /// Finds the first place of an element; nil when it is not there.
    func index(of element: Element) -> Int?
}

extension RealmCollection {
    /// The first element; nil when there is none.
    public var first: Element? { isEmpty ? nil : self[startIndex] }

    /// The last element; nil when there is none.
    public var last: Element? { isEmpty ? nil : self[endIndex - 1] }

    /// Finds the first place of an element; nil when it is not there.
    ///
    /// Objects are found by their row, so that another instance of the same object is found, too.
    ///
    /// - Complexity: O(*n*) in the count of elements.
    public func index(of element: Element) -> Int? { _results.place(of: element) }
}
