#if canImport(SwiftUI)
import Combine
import Dispatch
import ObjectStore

/// The query behind a view: what it finds is made anew when a condition, the order or the file is another one.
final class ObservedQuery<Element: RealmFetchable & KeypathSortable, Shown: RealmSubscribable>: ObservableObject {
    /// Speaks when what is found has changed.
    let objectWillChange: AnyPublisher<Void, Never>
    private let make: (Results<Element>) -> Shown
    private let observations = CurrentValueSubject<(observed: ObservedValue<Shown>?, isNews: Bool), Never>((nil, false))
    private var realm: (configuration: Realm.Configuration, realm: Realm)?
    private var found: (results: Results<Element>, keyPaths: [String]?)?
    private var search: (keyPath: String, text: String)?

    init(_ make: @escaping (Results<Element>) -> Shown) {
        self.make = make
        objectWillChange =
            observations.compactMap { observations in
                observations.observed?.objectWillChange.prepend(observations.isNews ? [()] : [])
            }
            .switchToLatest()
            .eraseToAnyPublisher()
    }

    /// What is found now, frozen.
    func shown(
        in configuration: Realm.Configuration,
        _ condition: FilterCondition<Element>?,
        _ sortDescriptors: [ObjectStore.SortDescriptor],
        _ keyPaths: [String]?
    ) -> Shown {
        var results = opened(configuration).objects(Element.self)
        if let condition { results = condition.applied(to: results) }
        if let search { results = results.filter("\(search.keyPath) CONTAINS[cd] %@", search.text) }
        if !sortDescriptors.isEmpty { results = results.sorted(by: sortDescriptors) }
        if let found, found.results == results, found.keyPaths == keyPaths, let observed = observations.value.observed {
            return observed.shown
        }
        found = (results, keyPaths)
        let observed = ObservedValue(make(results), keyPaths)
        observations.send((observed, false))
        return observed.shown
    }

    /// Finds only what has a text in a property; an empty one ends that.
    func search(for text: String, in keyPath: String) {
        let sought = text.isEmpty ? nil : (keyPath, text)
        guard sought?.0 != search?.keyPath || sought?.1 != search?.text else { return }
        search = sought
        // The view that searches is being made just now, and may have read what was found before.
        let tell = MainConfined { [observations] in observations.send((observations.value.observed, true)) }
        DispatchQueue.main.async { tell.value() }
    }

    /// What is searched for; empty for nothing.
    var searchText: String { search?.text ?? "" }

    private func opened(_ configuration: Realm.Configuration) -> Realm {
        if let realm, realm.configuration == configuration { return realm.realm }
        do {
            let opened = try Realm(configuration: configuration)
            realm = (configuration, opened)
            return opened
        } catch {
            preconditionFailure("The realm of a view cannot be opened; open it before the view is shown: \(error)")
        }
    }
}
#endif
