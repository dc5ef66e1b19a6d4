/// A collection that tokens can watch: how it is compared, and how it is found again in another instance.
protocol ObservableCollection {
    /// What the collection is to be called in the sentence of a trap.
    var subject: String { get }

    /// The instance that the collection belongs to; nil while unmanaged.
    var observedRealm: RealmCore? { get }

    /// How the elements are read and compared; nil when the collection is gone.
    func observedSource() -> ObservedSource?

    /// Returns how another instance of the same file finds the collection.
    func handover() -> @Sendable (RealmCore) -> any ObservableCollection
}

extension ObservableCollection {
    /// Traps when there is nothing to observe, it cannot be observed now, or a key path does not exist.
    ///
    /// - Returns: The instance.
    func requireObservable(_ keyPaths: [String]?) -> RealmCore {
        guard let realm = observedRealm else {
            misuse("\(subject) was observed that is unmanaged; add its object to a realm first.")
        }
        realm.notifications.requireObservable(subject)
        guard let source = observedSource() else {
            misuse("\(subject) was observed after its object was deleted; check 'isInvalidated' first.")
        }
        _ = ObservedPaths(keyPaths, of: source)
        return realm
    }
}

// MARK: - Properties

extension ObservableCollection where Self: PersistedCollection {
    var subject: String {
        guard let (core, slot) = owner else { return "A collection" }
        let property = core.table.schema.properties[slot]
        let word = nestedKey.map { $0.isDictionary ? "nested dictionary" : "nested list" }
        return "The \(word ?? "\(property.type.collection)") '\(core.table.schema.name).\(property.name)'"
    }

    var observedRealm: RealmCore? { owner?.core.confinedRealm }
}

extension ObservableCollection where Self: PersistedCollection & _CollectionProperty {
    func observedSource() -> ObservedSource? {
        guard let (core, slot) = owner, !isGone else { return nil }
        return ObservedSource(core, slot, nested: nestedKey, core.confinedRealm)
    }

    func handover() -> @Sendable (RealmCore) -> any ObservableCollection {
        guard let (core, slot) = owner else { misuse("A collection was handed to another place that is unmanaged.") }
        let (reference, nested) = (RowReference(core), nestedKey)
        // Another accessor of the object, and so another collection; both show the same elements.
        return { realm in Self.make(reference.core(in: realm), slot, nested: nested) }
    }
}

extension List: ObservableCollection {}
extension MutableSet: ObservableCollection {}

// MARK: - Results

extension Results: ObservableCollection {
    var subject: String { state.map { "A result of '\($0.table.schema.name)'" } ?? "A result" }

    var observedRealm: RealmCore? { state?.core }

    func observedSource() -> ObservedSource? { state.flatMap { $0.isInvalidated ? nil : ObservedSource($0) } }

    func handover() -> @Sendable (RealmCore) -> any ObservableCollection {
        switch content {
        case .objects(let state):
            let plan = state.plan
            let type = state.table.schema.type
            let parent = state.parent.map(RowReference.init)
            return { realm in
                let table = realm.requireTable(type)
                return Results(ObjectResultState(realm, table, plan, parent: parent?.core(in: realm)))
            }
        case .values(let state):
            let plan = state.plan
            let owner = RowReference(state.owner)
            let slot = state.slot
            return { realm in Results(ValueResultState(owner.core(in: realm), slot, plan)) }
        case .memory: misuse("A result was handed to another place that is unmanaged.")
        }
    }
}

// MARK: - Any

extension AnyRealmCollection: ObservableCollection {
    private var observable: any ObservableCollection {
        guard let base = base as? any ObservableCollection else {
            misuse("A collection of the type '\(type(of: base))' cannot be observed.")
        }
        return base
    }

    var subject: String { observable.subject }
    var observedRealm: RealmCore? { observable.observedRealm }
    func observedSource() -> ObservedSource? { observable.observedSource() }

    func handover() -> @Sendable (RealmCore) -> any ObservableCollection {
        let found = observable.handover()
        return { realm in Self.wrapped(found(realm)) }
    }

    private static func wrapped(_ collection: any ObservableCollection) -> AnyRealmCollection {
        guard let base = collection as? any RealmCollection<Element> else {
            misuse("A collection of the type '\(type(of: collection))' cannot be observed.")
        }
        return AnyRealmCollection(base)
    }
}
