/// What the handler of a map is called with; keys in the order of their bytes.
enum MapEvent: Equatable {
    case initial
    case update(deletions: [String], insertions: [String], modifications: [String])
}

/// A handler of one map, which is called with keys.
typealias MapObservation = ContentsObservation<ObservedSource.Entries>

extension ObservedSource.Entries: ObservedContents {
    static var initial: MapEvent { .initial }

    static func read(_ source: ObservedSource, after old: Self?) throws(Realm.Error) -> Self {
        try source.entries() ?? Self()
    }

    func event(
        from old: Self,
        _ source: ObservedSource,
        _ changed: ChangedElements
    ) throws(Realm.Error) -> MapEvent? {
        let linking = try changed.linking(values)
        func isChanged(_ value: StoredValue) -> Bool {
            guard source.elements != nil, case .int(let key) = value else { return linking.contains(value) }
            return changed.rows.contains(key)
        }
        var (deletions, insertions, modifications): ([String], [String], [String]) = ([], [], [])
        // Both are in the order of their keys' bytes.
        var (i, j) = (0, 0)
        while i < old.keys.count || j < keys.count {
            if j == keys.count
                || (i < old.keys.count && old.keys[i].utf8.lexicographicallyPrecedes(keys[j].utf8))
            {
                deletions.append(old.keys[i])
                i += 1
            } else if i == old.keys.count || keys[j].utf8.lexicographicallyPrecedes(old.keys[i].utf8) {
                insertions.append(keys[j])
                j += 1
            } else {
                if old.values[i] != values[j] || isChanged(values[j]) {
                    modifications.append(keys[j])
                }
                i += 1
                j += 1
            }
        }
        guard !deletions.isEmpty || !insertions.isEmpty || !modifications.isEmpty else { return nil }
        return .update(deletions: deletions, insertions: insertions, modifications: modifications)
    }
}
