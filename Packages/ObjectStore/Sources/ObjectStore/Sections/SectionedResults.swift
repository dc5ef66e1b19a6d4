public import Foundation

/// The elements of a collection in sections of the same key, for a list with headings.
///
/// ```swift
/// let sections = realm.objects(Dog.self).sectioned(by: \.breed)
/// for section in sections { print(section.key, section.map(\.name)) }
/// ```
/// The sections come in the order in which the sorted collection has the first element of each, and each has its elements in the
/// order of the collection. All elements of a key are in one section, also where the order has others between them.
///
/// Sections are live: after a transaction the keys are made again, when something is asked for.
///
/// - Complexity: The first access at each version goes over the sorted elements once, O(*n*); then a section is found in O(1).
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue> {
    let state: SectionState<Key, SectionElement>

    init(_ results: Results<SectionElement>, _ key: @escaping (SectionElement) -> Key) {
        state = SectionState(results, SectionState.Rule(key))
    }

    init(_ state: SectionState<Key, SectionElement>) {
        self.state = state
    }

    /// The keys of all sections, in their order.
    public var allKeys: [Key] { state.sections().keys }

    /// Reads an element by the index of its section and its index in that.
    ///
    /// - Precondition: The path has two numbers, and there is such an element.
    public subscript(indexPath: IndexPath) -> SectionElement {
        guard indexPath.count == 2 else {
            misuse("A path of \(indexPath.count) numbers was used for an element of sections; it has two.")
        }
        return self[indexPath[0]][indexPath[1]]
    }
}

extension SectionedResults: RealmSectionedResult {
    /// A section.
    public typealias Element = ResultsSection<Key, SectionElement>

    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many sections there are.
    public var endIndex: Int { state.sections().keys.count }

    /// Returns a section, which stays the one of its key.
    ///
    /// - Precondition: `0 <= index < count`.
    public subscript(index: Int) -> ResultsSection<Key, SectionElement> {
        let keys = state.sections().keys
        guard keys.indices.contains(index) else {
            misuse("The index \(index) is outside of \(keys.count) sections.")
        }
        return ResultsSection(state, keys[index])
    }

    /// The realm that is read; nil for elements of an unmanaged collection.
    public var realm: Realm? { state.results.realm }

    /// Whether the realm was invalidated, so that the sections can no longer be used.
    public var isInvalidated: Bool { state.results.isInvalidated }

    /// Where another instance finds the sections; nil for elements of an unmanaged collection.
    public var _confinedLocation: _Location? {
        state.results._confinedLocation.map { location in
            let rule = state.rule
            return location.deriving { location, realm in
                Results<SectionElement>._located(location, in: realm)
                    .map { SectionedResults(SectionState($0, rule)) }
            }
        }
    }

    /// Finds the sections in an instance; nil when the object that they belong to does not exist there.
    public static func _located(_ location: _Location, in realm: Realm) -> SectionedResults? {
        location.derived(in: realm) as? SectionedResults
    }

    /// What is observed.
    public var _observed: _ObservedSections<Key, SectionElement> { _ObservedSections(state: state, key: nil) }

    /// Makes the sections that show the same.
    public static func _showing(_ observed: _ObservedSections<Key, SectionElement>) -> SectionedResults {
        SectionedResults(observed.state)
    }

    /// Whether both are copies of the same sections.
    public static func == (left: SectionedResults, right: SectionedResults) -> Bool { left.state === right.state }
}
