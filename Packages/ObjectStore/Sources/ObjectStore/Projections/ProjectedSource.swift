import Dispatch

/// The collection behind a projected one, and how a value is made of an element; of any element type.
protocol ProjectedSource<Value>: NamingProjection {
    associatedtype Value: RealmCollectionValue
    var realm: Realm? { get }
    var isInvalidated: Bool { get }
    var count: Int { get }
    var _confinedLocation: _Location? { get }
    func value(at position: Int) -> Value
    func makeIterator() -> AnyIterator<Value>
    /// Finds the collection in another instance.
    func located(_ location: _Location, _ realm: Realm) -> ProjectedCollection<Value>?
    func observe(
        _ keyPaths: [String]?,
        on queue: DispatchQueue?,
        _ block: @escaping (RealmCollectionChange<ProjectedCollection<Value>>) -> Void
    ) -> NotificationToken
    func observe<A: Actor>(
        _ keyPaths: [String]?,
        on actor: A,
        _ block: @escaping @Sendable (isolated A, RealmCollectionChange<ProjectedCollection<Value>>) -> Void
    ) async -> NotificationToken
}

/// A collection whose elements lead to values.
struct MappedCollection<Element: RealmCollectionValue, Value: RealmCollectionValue>: ProjectedSource {
    private let mapping: Mapping
    private let base: () -> AnyRealmCollection<Element>

    // SAFETY: key paths, and closures over key paths, are never changed and may be read anywhere.
    final class Mapping: @unchecked Sendable {
        let read: (Element) -> Value
        let names: () -> [String]

        init(_ read: @escaping (Element) -> Value, _ names: @escaping () -> [String]) {
            self.read = read
            self.names = names
        }
    }

    init(_ mapping: Mapping, _ base: @escaping () -> AnyRealmCollection<Element>) {
        self.mapping = mapping
        self.base = base
    }

    var names: [String] { mapping.names() }
    var realm: Realm? { base().realm }
    var isInvalidated: Bool { base().isInvalidated }
    var count: Int { base().count }
    var _confinedLocation: _Location? { base()._confinedLocation }

    func value(at position: Int) -> Value { mapping.read(base()[position]) }

    func makeIterator() -> AnyIterator<Value> {
        let elements = base().makeIterator()
        let read = mapping.read
        return AnyIterator { elements.next().map(read) }
    }

    func located(_ location: _Location, _ realm: Realm) -> ProjectedCollection<Value>? {
        AnyRealmCollection<Element>._located(location, in: realm).map { Self.projected($0, mapping) }
    }

    private static func projected(
        _ base: AnyRealmCollection<Element>,
        _ mapping: Mapping
    ) -> ProjectedCollection<Value> {
        ProjectedCollection(MappedCollection(mapping) { base })
    }

    // MARK: Observing

    /// What a handler of the collection is called with, for one of the values.
    private static func change(
        _ change: RealmCollectionChange<AnyRealmCollection<Element>>,
        _ mapping: Mapping
    ) -> RealmCollectionChange<ProjectedCollection<Value>> {
        switch change {
        case .initial(let base): .initial(projected(base, mapping))
        case .update(let base, let deletions, let insertions, let modifications):
            .update(
                projected(base, mapping),
                deletions: deletions,
                insertions: insertions,
                modifications: modifications
            )
        case .error(let error): .error(error)
        }
    }

    func observe(
        _ keyPaths: [String]?,
        on queue: DispatchQueue?,
        _ block: @escaping (RealmCollectionChange<ProjectedCollection<Value>>) -> Void
    ) -> NotificationToken {
        let mapping = mapping
        return base()
            .observe(stored: keyPaths ?? [names.joined(separator: ".")], on: queue) {
                block(Self.change($0, mapping))
            }
    }

    func observe<A: Actor>(
        _ keyPaths: [String]?,
        on actor: A,
        _ block: @escaping @Sendable (isolated A, RealmCollectionChange<ProjectedCollection<Value>>) -> Void
    ) async -> NotificationToken {
        let mapping = mapping
        return await base()
            .observe(stored: keyPaths ?? [names.joined(separator: ".")], on: actor) { actor, change in
                block(actor, Self.change(change, mapping))
            }
    }
}
