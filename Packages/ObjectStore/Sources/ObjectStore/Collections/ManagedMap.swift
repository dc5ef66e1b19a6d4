import ObjectQueries

/// The entries of a map in a realm, in the order of their keys' bytes.
final class ManagedMap<Element: RealmCollectionValue>: ManagedElements<String, Element> {
    /// The keys, in order, handed to the program.
    var keys: [String] {
        let contents = current()
        show()
        return Array(contents.labels)
    }

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
        if isFound { return read(contents, index) }
        show()
        return nil
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
            let wasCurrent = isCurrent
            try delete(at: key)
            writer.realm.transaction.didModify(core, slot)
            keep(wasCurrent) { $0.replace(index..<(index + 1), with: [], []) }
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
        let generation = core.table.generation
        let cells = try values.items.map { item throws(Realm.Error) in try cell(item.value, writer) }
        // A value may have been the very object again, with a map of its own.
        if core.table.generation != generation { try removeAll(writer) }
        for (item, cell) in zip(values.items, cells) { try insert(cell, at: item.key) }
    }

    /// Replaces the contents by values that are converted; under `.modified` entry by entry.
    ///
    /// What is written for the values may reach this very map, so that its rows are changed after all of that.
    func assign(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        let cells = try values.items.map { item throws(Realm.Error) in try patched(item, writer) }
        guard writer.policy == .modified else {
            try removeAll(writer)
            for (item, cell) in zip(values.items, cells) { try set(cell, for: item.key, writer) }
            return
        }
        let kept = Set(values.items.map { _TextIdentity($0.key) })
        for key in current().labels where !kept.contains(_TextIdentity(key)) { remove(key) }
        for (item, cell) in zip(values.items, cells) {
            let contents = current()
            let (index, isFound) = place(of: item.key, in: contents)
            if !isFound || !isSame(cell, contents, index) { try set(cell, for: item.key, writer) }
        }
    }

    /// What the row of a key is to hold: under `.modified` the object that it has, updated where it may be.
    private func patched(_ item: TakenValues.Item, _ writer: ObjectWriter) throws(Realm.Error) -> Cell {
        guard writer.policy == .modified, holdsObjects, let row = row(of: item.key),
            try update(row, from: item.value, writer), self.row(of: item.key)?.key == row.key
        else { return try cell(item.value, writer) }
        return .key(row.key)
    }

    /// The row of the object that a key refers to.
    private func row(of key: String) -> _ElementRow? {
        let contents = current()
        let (index, isFound) = place(of: key, in: contents)
        return isFound ? contents.rows[index] : nil
    }
}

// MARK: - Rows

extension ManagedMap {
    private func set(_ cell: Cell, for key: String, _ writer: ObjectWriter) throws(Realm.Error) {
        let contents = current()
        let (index, isFound) = place(of: key, in: contents)
        let wasCurrent = isCurrent
        if isFound {
            try update(cell, at: key)
        } else {
            try insert(cell, at: key)
        }
        writer.realm.transaction.didModify(core, slot)
        keep(wasCurrent) { $0.replace(index..<(isFound ? index + 1 : index), with: [key], [cell]) }
        if isFound {
            try deleteChildren([self.cell(contents, index).key].compactMap(\.self), writer.realm)
        }
    }

    private func removeAll(_ writer: ObjectWriter) throws(Realm.Error) {
        let contents = current()
        guard !contents.labels.isEmpty else { return }
        let wasCurrent = isCurrent
        try deleteAll()
        writer.realm.transaction.didModify(core, slot)
        keep(wasCurrent) { $0.replace(0..<contents.labels.count, with: [], []) }
        try deleteChildren(contents.labels.indices.compactMap { cell(contents, $0).key }, writer.realm)
    }
}
