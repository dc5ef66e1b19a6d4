/// What a key path of the elements of a collection leads to, for each of them: the value of a projected property.
///
/// ```swift
/// class ClubProjection: Projection<Club> {
///     @Projected(\Club.members.projectTo.name) var names: ProjectedCollection<String>
/// }
/// print(club.names.joined(separator: ", "))
/// ```
/// It is as live as the collection behind it, from which each value is read when it is asked for.
public struct ProjectedCollection<Element: RealmCollectionValue>: RandomAccessCollection, CustomStringConvertible {
    let source: any ProjectedSource<Element>

    init(_ source: some ProjectedSource<Element>) {
        self.source = source
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many elements the collection behind it has.
    public var endIndex: Int { source.count }

    /// Reads the value of an element.
    ///
    /// - Precondition: `0 <= position < count`.
    public subscript(position: Int) -> Element { source.value(at: position) }

    /// Iterates over the values of the elements as they are now.
    public func makeIterator() -> AnyIterator<Element> { source.makeIterator() }

    /// Finds the first place of a value; nil when it is not there.
    ///
    /// - Complexity: O(*n*) in the count of elements.
    public func index(of value: Element) -> Int? { firstIndex(of: value) }

    /// The type and the count of values.
    public var description: String {
        isInvalidated
            ? "ProjectedCollection<\(Element.self)> (invalidated)"
            : "ProjectedCollection<\(Element.self)> of \(count) elements"
    }
}

extension ProjectedCollection: ThreadConfined {
    /// The realm that manages the collection; nil while unmanaged.
    public var realm: Realm? { source.realm }

    /// Whether the object that the collection belongs to was deleted.
    public var isInvalidated: Bool { source.isInvalidated }

    /// Where another instance finds the collection; nil while unmanaged.
    public var _confinedLocation: _Location? {
        source._confinedLocation.map { location in
            let source = source
            return location.deriving { location, realm in source.located(location, realm) }
        }
    }

    /// Finds the collection in an instance; nil when its object does not exist there.
    public static func _located(_ location: _Location, in realm: Realm) -> ProjectedCollection? {
        location.derived(in: realm) as? ProjectedCollection
    }
}

/// Says what its elements show, to whoever looks for the names in a key path.
protocol NamingProjection {
    /// The names of the elements' properties.
    var names: [String] { get }
}

extension ProjectedCollection: NamingProjection {
    var names: [String] { source.names }
}
