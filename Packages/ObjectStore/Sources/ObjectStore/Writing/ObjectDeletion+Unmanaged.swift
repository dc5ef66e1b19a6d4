import EventModel
import ObjectQueries

// What the file has and the instance does not manage: it must not refer to objects that are gone, nor stay without them.
extension ObjectDeletion {
    /// Deletes embedded objects of a class that the instance may not manage, with all that is inside them.
    func deleteEmbedded(named className: String, _ keys: [Int64]) throws(Realm.Error) {
        if let table = realm.store.table(named: className) { return try deleteEmbedded(table, keys) }
        for group in KeyGroup.groups(of: keys) { try deleteUnmanaged(className, group) }
    }

    /// Deletes every object of a class that the instance does not manage; links to them are removed.
    func deleteAll(unmanaged className: String) throws(Realm.Error) {
        let keys = try realm.store.connection
            .prepare("SELECT \(StorageNames.key) FROM \(StorageNames.table(className))")
            .keys()
        for group in KeyGroup.groups(of: keys) {
            try removeLinks(to: className, group)
            try deleteUnmanaged(className, group)
        }
    }

    private func deleteUnmanaged(_ className: String, _ group: KeyGroup) throws(Realm.Error) {
        let unmanaged = try realm.store.unmanagedPlaces()
        try deleteUnmanagedContents(of: className, group, unmanaged)
        let (name, key) = (StorageNames.table(className), StorageNames.key)
        if !unmanaged.hasRowKey(className) {
            // The last row may be among them: its key must never be given again.
            let keep = try prepare(
                """
                UPDATE \(StoredSchema.classTable) \
                SET next = max(next, 1 + coalesce((SELECT max(\(key)) FROM \(name)), 0)) WHERE name = ?1
                """
            )
            keep.bind(1, className)
            try keep.run()
        }
        try run("DELETE FROM \(name) WHERE \(key) \(group.comparison)", group)
        realm.transaction.didDelete(unmanaged: className)
    }

    /// Deletes what the file keeps for objects in properties that the instance does not manage.
    func deleteUnmanagedContents(
        of className: String,
        _ group: KeyGroup,
        _ unmanaged: UnmanagedPlaces
    ) throws(Realm.Error) {
        for place in unmanaged.places(of: className) {
            if let target = place.target, unmanaged.isEmbedded(target) {
                let children = try prepare(place.selectValues(where: "\(place.owner) \(group.comparison)"))
                group.bind(to: children)
                try deleteEmbedded(named: target, try children.keys())
            }
            if place.collection != .none {
                try run("DELETE FROM \(place.table) WHERE \(place.owner) \(group.comparison)", group)
            }
            if place.kind == .any {
                for key in group.keys { try NestedCollections(realm.store).deleteAll(of: key, className) }
            }
        }
    }

    /// Removes the links that properties have which the instance does not manage.
    func removeUnmanagedLinks(to className: String, _ group: KeyGroup) throws(Realm.Error) {
        for place in try realm.store.unmanagedPlaces().places(referringTo: className) {
            let condition = "\(place.value) \(group.comparison)"
            let owners = try prepare(place.selectOwners(where: condition))
            group.bind(to: owners)
            let keys = try owners.keys()
            guard !keys.isEmpty else { continue }
            try run(place.removal(where: condition), group)
            for key in keys { realm.transaction.didModify(place, key: key) }
        }
    }

    private func run(_ sql: String, _ group: KeyGroup) throws(Realm.Error) {
        let statement = try prepare(sql)
        group.bind(to: statement)
        try statement.run()
    }

    private func prepare(_ sql: String) throws(Realm.Error) -> Statement { try realm.store.connection.prepare(sql) }
}
