/// The elements of a collection that changed in themselves, or in what they link to.
final class ChangedElements {
    /// Those that are objects.
    let rows: ChangedKeys
    private let tracer: ChangeTracer
    private let store: StoreConnection
    private var known: [String: ChangedKeys] = [:]

    init(_ source: ObservedSource, _ paths: ObservedPaths, _ changes: LoggedChanges) throws(Realm.Error) {
        store = source.realm.store
        tracer = ChangeTracer(source.realm.store, changes)
        guard let elements = source.elements else {
            rows = ChangedKeys()
            return
        }
        rows = try tracer.changed(elements, paths)
    }

    /// Those of some values that link to an object that changed, directly or from nested lists and dictionaries.
    func linking(_ values: some Sequence<StoredValue>) throws(Realm.Error) -> Set<StoredValue> {
        var found: Set<StoredValue> = []
        for value in values {
            var failure: Realm.Error?
            let isChanged = value.hasLink { className, key in
                do throws(Realm.Error) {
                    return try keys(of: className).contains(key)
                } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
            if isChanged { found.insert(value) }
        }
        return found
    }

    private func keys(of className: String) throws(Realm.Error) -> ChangedKeys {
        if let known = known[className] { return known }
        guard let table = store.table(named: className) else { return ChangedKeys() }
        let keys = try tracer.changed(table, .deep)
        known[className] = keys
        return keys
    }
}
