/// The elements of one key among sections: a live collection, empty once no element has the key.
///
/// ```swift
/// let beagles = realm.objects(Dog.self).sectioned(by: \.breed)[0]
/// print(beagles.key, beagles.count)
/// ```
/// A section belongs to its key, not to its index: others may come before it.
public struct ResultsSection<Key: _Persistable & Hashable, T: RealmCollectionValue> {
    /// What all elements of the section have in common.
    public let key: Key
    private let state: SectionState<Key, T>

    init(_ state: SectionState<Key, T>, _ key: Key) {
        self.state = state
        self.key = key
    }

    private var places: SectionPlaces {
        let sections = state.sections()
        return sections.index(of: key).map { sections.places[$0] } ?? SectionPlaces()
    }
}

extension ResultsSection: Identifiable {
    /// The key.
    public var id: Key { key }
}

extension ResultsSection: RealmSectionedResult {
    /// An element of the section.
    public typealias Element = T

    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many elements have the key.
    public var endIndex: Int { places.count }

    /// Reads an element.
    ///
    /// - Precondition: `0 <= index < count`.
    public subscript(index: Int) -> T {
        let places = places
        guard index >= 0, index < places.count else {
            misuse("The index \(index) is outside of a section of \(places.count) elements.")
        }
        return state.results[places[index]]
    }

    /// Iterates over the elements as they are now.
    public func makeIterator() -> AnyIterator<T> {
        let places = places
        let read = state.results.reader()
        var index = 0
        return AnyIterator {
            guard index < places.count else { return nil }
            defer { index += 1 }
            return read(places[index])
        }
    }

    /// The realm that is read; nil for elements of an unmanaged collection.
    public var realm: Realm? { state.results.realm }

    /// Whether the realm was invalidated, so that the section can no longer be used.
    public var isInvalidated: Bool { state.results.isInvalidated }

    /// Where another instance finds the section; nil for elements of an unmanaged collection.
    public var _confinedLocation: _Location? {
        state.results._confinedLocation.map { location in
            let (rule, key) = (state.rule, key)
            return location.deriving { location, realm in
                Results<T>._located(location, in: realm).map { ResultsSection(SectionState($0, rule), key) }
            }
        }
    }

    /// Finds the section in an instance; nil when the object that it belongs to does not exist there.
    public static func _located(_ location: _Location, in realm: Realm) -> ResultsSection? {
        location.derived(in: realm) as? ResultsSection
    }

    /// What is observed.
    public var _observed: _ObservedSections<Key, T> { _ObservedSections(state: state, key: key) }

    /// Makes the section that shows the same.
    public static func _showing(_ observed: _ObservedSections<Key, T>) -> ResultsSection {
        guard let key = observed.key else { misuse("A section was made of all sections.") }
        return ResultsSection(observed.state, key)
    }

    /// Whether both are the section of the same key of the same sections.
    public static func == (left: ResultsSection, right: ResultsSection) -> Bool {
        left.state === right.state && left.key == right.key
    }
}
