import ObjectQueries

/// What happened between two versions to properties that somebody tracks.
struct TrackedChanges {
    /// Whether a row exists at the newer version.
    let exists: (ClassTable, Int64) -> Bool
    let store: StoreConnection
    let changes: LoggedChanges

    /// Returns which of the tracked properties of a class changed, by the keys of the objects; all of an object that was deleted.
    ///
    /// - Complexity: O(*n* log *m*) in the count of tracked objects and of what was changed, or O(*m*) when that is less.
    func changed(_ schema: ObjectIdentifier, _ tracked: [Int64: SlotSet]) -> [Int64: SlotSet] {
        guard let table = store.tables.first(where: { ObjectIdentifier($0.schema) == schema }) else { return tracked }
        let linked = SlotSet(table.schema.origins.filter(isChanged).map(\.slot))
        let changes = changes[table.schema.name]
        if changes == nil, linked.isEmpty { return [:] }

        var changed: [Int64: SlotSet] = [:]
        func note(_ key: Int64, _ slots: SlotSet) {
            guard let known = tracked[key]?.intersection(slots), !known.isEmpty else { return }
            changed[key] = known
        }
        if let changes, linked.isEmpty, !changes.hasDeletions, let keys = changes.keys(upTo: tracked.count) {
            for key in keys { note(key, changes.slots(of: key)) }
            return changed
        }
        for key in tracked.keys {
            let isGone = changes?.hasDeletions == true && !exists(table, key)
            note(key, isGone ? .all : (changes?.slots(of: key) ?? SlotSet()).union(linked))
        }
        return changed
    }

    /// Whether any link that a property shows backwards may have come or gone.
    private func isChanged(_ origin: OriginProperty) -> Bool {
        guard let changes = changes[origin.target.className()] else { return false }
        guard let link = store.table(origin.target)?.schema.properties.first(where: { $0.name == origin.origin }) else {
            return true
        }
        return changes.isOverrun || changes.hasDeletions || !changes.inserted.isEmpty
            || changes.modified.runs.contains { $0.slots.contains(link.slot) }
    }
}

extension LoggedClass {
    /// The keys of what was inserted and modified, some of them twice; nil when these are more than a count, or not listed.
    fileprivate func keys(upTo maximum: Int) -> [Int64]? {
        if isOverrun { return nil }
        let runs = inserted.runs + modified.runs.map(\.keys)
        var rest = maximum
        for run in runs {
            rest -= run.count
            if rest < 0 { return nil }
        }
        return runs.flatMap { $0 }
    }
}
