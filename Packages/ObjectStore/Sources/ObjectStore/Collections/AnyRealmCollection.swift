/// A collection of any kind, when only the type of its elements matters.
///
/// ```swift
/// let shown: AnyRealmCollection<Dog> = isSorted ? AnyRealmCollection(dogs.sorted(by: \.name)) : AnyRealmCollection(dogs)
/// ```
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
    /// The collection inside.
    let base: any RealmCollection<Element>

    /// Wraps a collection, which stays as live as it is.
    public init<C: RealmCollection>(_ base: C) where C.Element == Element {
        self.base = (base as? AnyRealmCollection<Element>)?.base ?? base
    }

    /// The realm that manages the collection; nil while unmanaged and once invalidated.
    public var realm: Realm? { base.realm }
    /// Whether the collection can no longer be used.
    public var isInvalidated: Bool { base.isInvalidated }
    /// The first element; nil when there is none.
    public var first: Element? { base.first }
    /// The last element; nil when there is none.
    public var last: Element? { base.last }
    /// The elements as a result.
    public var _results: Results<Element> { base._results }
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many elements there are.
    public var endIndex: Int { base.count }

    /// Reads an element.
    ///
    /// - Precondition: `0 <= position < count`.
    public subscript(position: Int) -> Element { base[position] }

    /// Finds the first place of an element; nil when it is not there.
    public func index(of element: Element) -> Int? { base.index(of: element) }

    /// Iterates over the elements as they are now.
    public func makeIterator() -> AnyIterator<Element> {
        Self.iterator(of: base)
    }

    private static func iterator<C: RealmCollection>(of base: C) -> AnyIterator<Element> where C.Element == Element {
        AnyIterator(base.makeIterator())
    }

    /// What the collection inside says of itself.
    public var description: String { base.description }

    /// Whether both hold equal collections of the same kind.
    public static func == (left: AnyRealmCollection, right: AnyRealmCollection) -> Bool {
        isEqual(left.base, right.base)
    }

    private static func isEqual<C: RealmCollection>(_ left: C, _ right: any RealmCollection<Element>) -> Bool {
        (right as? C).map { left == $0 } ?? false
    }
}
