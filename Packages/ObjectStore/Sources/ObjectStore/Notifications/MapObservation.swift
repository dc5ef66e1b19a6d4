import ObjectQueries

/// A handler of one map, with the entries as it knows them.
final class MapObservation: Observation {
    /// What the handler is told; keys in the order of their bytes.
    enum Event: Equatable {
        case initial
        case update(deletions: [String], insertions: [String], modifications: [String])
    }

    private let source: ObservedSource
    private let paths: ObservedPaths
    private let handler: (Event) -> Void
    /// The entries that the handler knows; nil before the first call.
    private var contents: ObservedSource.Entries?

    init(_ source: ObservedSource, _ paths: ObservedPaths, _ handler: @escaping (Event) -> Void) {
        self.source = source
        self.paths = paths
        self.handler = handler
        super.init(source.realm)
    }

    override var awaitsInitialCall: Bool { contents == nil }

    override func deliver() {
        if let event = next() { handler(event) }
    }

    private func next() -> Event? {
        realm.beginReading()
        return realm.reading { () throws(Realm.Error) in
            guard let known = contents else {
                contents = try source.entries() ?? ObservedSource.Entries()
                version = realm.store.version
                return .initial
            }
            guard version != realm.store.version, let notifier = realm.notifier else { return nil }
            let changes = notifier.changes(since: version)
            version = realm.store.version
            let new = try source.mayDiffer(changes) ? source.entries() ?? ObservedSource.Entries() : known
            contents = new
            return try event(from: known, to: new, changes)
        }
    }

    private func event(
        from old: ObservedSource.Entries,
        to new: ObservedSource.Entries,
        _ changes: LoggedChanges
    ) throws(Realm.Error) -> Event? {
        var changed = ChangedKeys()
        if let elements = source.elements {
            changed = try ChangeTracer(realm.store, changes).changed(elements, paths)
        }
        var (deletions, insertions, modifications): ([String], [String], [String]) = ([], [], [])
        // Both are in the order of their keys' bytes.
        var (i, j) = (0, 0)
        while i < old.keys.count || j < new.keys.count {
            if j == new.keys.count
                || (i < old.keys.count && old.keys[i].utf8.lexicographicallyPrecedes(new.keys[j].utf8))
            {
                deletions.append(old.keys[i])
                i += 1
            } else if i == old.keys.count || new.keys[j].utf8.lexicographicallyPrecedes(old.keys[i].utf8) {
                insertions.append(new.keys[j])
                j += 1
            } else {
                if old.values[i] != new.values[j] || isChanged(new.values[j], changed) {
                    modifications.append(new.keys[j])
                }
                i += 1
                j += 1
            }
        }
        guard !deletions.isEmpty || !insertions.isEmpty || !modifications.isEmpty else { return nil }
        return .update(deletions: deletions, insertions: insertions, modifications: modifications)
    }

    private func isChanged(_ value: StoredValue, _ changed: ChangedKeys) -> Bool {
        guard source.elements != nil, case .int(let key) = value else { return false }
        return changed.contains(key)
    }

    override func skip(_ version: UInt64) -> () -> Void {
        guard contents != nil, self.version == realm.store.version else { return {} }
        let contents = realm.reading { () throws(Realm.Error) in try source.entries() }
        return { [self] in
            self.contents = contents ?? ObservedSource.Entries()
            self.version = version
        }
    }
}
