import ObjectQueries

/// The entries of a map in a realm, in the order of their keys' bytes.
final class ManagedMap<Element: RealmCollectionValue>: ManagedElements<String, Element> {
    /// The keys, in order.
    var keys: [String] { current().labels }

    /// The place of a key among sorted ones, or where it would be.
    private func place(of key: String, in contents: Contents) -> (index: Int, isFound: Bool) {
        let wanted = _TextIdentity(key)
        var (low, high) = (0, contents.labels.count)
        while low < high {
            let middle = (low + high) / 2
            if _TextIdentity(contents.labels[middle]) < wanted { low = middle + 1 } else { high = middle }
        }
        return (low, low < contents.labels.count && _TextIdentity(contents.labels[low]) == wanted)
    }

    /// The value of a key, handed to the program.
    func value(of key: String) -> Element? {
        let contents = current()
        let (index, isFound) = place(of: key, in: contents)
        return isFound ? read(contents, index) : nil
    }

    /// Adds or replaces values.
    func set(_ entries: some Sequence<(key: String, value: Element)>) {
        changing { writer throws(Realm.Error) in
            for (key, value) in entries { try set(try cell(of: value, writer), for: key, writer) }
        }
    }

    /// Adds or replaces a value that is converted first.
    func set(converting value: Any, for key: String) {
        changing { writer throws(Realm.Error) in try set(try cell(value, writer), for: key, writer) }
    }

    /// Removes an entry; nothing happens when there is none.
    func remove(_ key: String) {
        changing { writer throws(Realm.Error) in
            let contents = current()
            let (index, isFound) = place(of: key, in: contents)
            guard isFound else { return }
            let generation = core.table.generation
            try delete(at: key)
            writer.realm.didModify(core, slot)
            keep(since: generation) { $0.replace(index..<(index + 1), with: [], []) }
            try deleteChildren([cell(contents, index).key].compactMap(\.self), writer.realm)
        }
    }

    /// Removes every entry.
    func removeAll() {
        changing { writer throws(Realm.Error) in try removeAll(writer) }
    }

    // MARK: Values

    /// Fills the map of a new object.
    func insert(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        for item in values.items { try insert(try cell(item.value, writer), at: item.key) }
    }

    /// Replaces the contents by values that are converted; under `.modified` entry by entry.
    func assign(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        guard writer.policy == .modified else {
            let cells = try values.items.map { item throws(Realm.Error) in try cell(item.value, writer) }
            try removeAll(writer)
            for (item, cell) in zip(values.items, cells) { try set(cell, for: item.key, writer) }
            return
        }
        let kept = Set(values.items.map { _TextIdentity($0.key) })
        for key in keys where !kept.contains(_TextIdentity(key)) { remove(key) }
        for item in values.items { try patch(item, writer) }
    }

    private func patch(_ item: TakenValues.Item, _ writer: ObjectWriter) throws(Realm.Error) {
        let contents = current()
        let (index, isFound) = place(of: item.key, in: contents)
        if isFound, holdsObjects, try update(contents.rows[index], from: item.value, writer) { return }
        let new = try cell(item.value, writer)
        if isFound, isSame(new, contents, index) { return }
        try set(new, for: item.key, writer)
    }
}

// MARK: - Rows

extension ManagedMap {
    private func set(_ cell: Cell, for key: String, _ writer: ObjectWriter) throws(Realm.Error) {
        let contents = current()
        let (index, isFound) = place(of: key, in: contents)
        let generation = core.table.generation
        if isFound {
            try update(cell, at: key)
        } else {
            try insert(cell, at: key)
        }
        writer.realm.didModify(core, slot)
        keep(since: generation) { $0.replace(index..<(isFound ? index + 1 : index), with: [key], [cell]) }
        if isFound {
            try deleteChildren([self.cell(contents, index).key].compactMap(\.self), writer.realm)
        }
    }

    private func removeAll(_ writer: ObjectWriter) throws(Realm.Error) {
        let contents = current()
        guard !contents.labels.isEmpty else { return }
        let generation = core.table.generation
        try deleteAll()
        writer.realm.didModify(core, slot)
        keep(since: generation) { $0.replace(0..<contents.labels.count, with: [], []) }
        try deleteChildren(contents.labels.indices.compactMap { cell(contents, $0).key }, writer.realm)
    }
}
