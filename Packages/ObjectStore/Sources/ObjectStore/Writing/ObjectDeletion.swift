import EventModel
import ObjectQueries

/// Deletes objects: links to them become null, lists and sets lose them, embedded objects go with them.
///
/// Many objects are deleted in groups: how many statements a group takes depends on the classes only.
struct ObjectDeletion {
    let realm: RealmCore

    init(_ realm: RealmCore) { self.realm = realm }

    /// Deletes a managed object.
    func delete(_ core: ObjectCore) throws(Realm.Error) {
        if core.table.schema.isEmbedded {
            try detach(core)
            try deleteEmbedded(core.table, [core.key])
        } else {
            try delete(core.table, [core.key])
        }
        // A primary key that is the row key may come again, in this very transaction.
        core.markDeleted(in: realm.neededInsertion)
    }

    /// Deletes objects of a class that is not embedded; each key must be there, once.
    func delete(_ table: ClassTable, _ keys: [Int64]) throws(Realm.Error) {
        for group in KeyGroup.groups(of: keys) { try delete(table, group) }
    }

    private func delete(_ table: ClassTable, _ group: KeyGroup) throws(Realm.Error) {
        try deleteChildren(table, group)
        try removeLinks(to: table.schema.name, group)
        try deleteRows(table, group)
    }

    /// Deletes an embedded object whose parent no longer refers to it.
    func deleteEmbedded(_ table: ClassTable, _ key: Int64) throws(Realm.Error) {
        try deleteEmbedded(table, [key])
    }

    /// Deletes embedded objects whose parents no longer refer to them.
    func deleteEmbedded(_ table: ClassTable, _ keys: [Int64]) throws(Realm.Error) {
        for group in KeyGroup.groups(of: keys) {
            try deleteChildren(table, group)
            try deleteRows(table, group)
        }
    }

    private func deleteRows(_ table: ClassTable, _ group: KeyGroup) throws(Realm.Error) {
        try deleteUnmanagedContents(of: table.schema.name, group, try realm.store.unmanagedPlaces())
        try table.delete(group)
        if group.isEverything {
            realm.transaction.didDeleteAll(table, group.keys)
        } else {
            for key in group.keys { realm.transaction.didDelete(table, key: key) }
        }
    }

    /// Deletes every object of the classes that the instance manages.
    ///
    /// Where the file has more than these, links to the objects are removed, and parts of other objects stay.
    func deleteAll() throws(Realm.Error) {
        if try realm.store.unmanagedPlaces().all.isEmpty {
            for table in realm.store.tables { try clear(table) }
        } else {
            for table in realm.store.tables where !table.schema.isEmbedded { try deleteAll(of: table) }
        }
    }

    /// Deletes every object of a class; links to them and embedded objects in them are left alone.
    ///
    /// For a file of which every class is cleared.
    private func clear(_ table: ClassTable) throws(Realm.Error) {
        let deleted = try keys(of: table)
        try table.willClear(deleted)
        for property in table.schema.shape.properties where property.collection != .none {
            try table.statement("DELETE FROM \(StorageNames.table(table.schema.name, property))").run()
        }
        try table.statement("DELETE FROM \(StorageNames.table(table.schema.name))").run()
        if table.schema.hasAny { try NestedCollections(table).deleteEverything() }
        if !deleted.isEmpty { realm.transaction.didDeleteAll(table, deleted[...]) }
    }

    /// Deletes every object of a class with its embedded objects; links to them become null, lists lose them.
    func deleteAll(of table: ClassTable) throws(Realm.Error) {
        let keys = try keys(of: table)
        if !keys.isEmpty { try delete(table, KeyGroup(all: keys)) }
    }

    private func keys(of table: ClassTable) throws(Realm.Error) -> [Int64] {
        try table.statement("SELECT \(StorageNames.key) FROM \(StorageNames.table(table.schema.name))").keys()
    }

    // MARK: Embedded objects

    private func deleteChildren(_ table: ClassTable, _ group: KeyGroup) throws(Realm.Error) {
        for property in table.schema.properties where property.type.kind == .embedded {
            guard let target = property.type.target else { continue }
            let child = try realm.table(target)
            let place = table.place(property.slot)
            let statement = try table.statement(place.selectValues(where: "\(place.owner) \(group.comparison)"))
            try deleteEmbedded(child, try keys(statement, group))
        }
    }

    /// Takes an embedded object out of its parent.
    private func detach(_ core: ObjectCore) throws(Realm.Error) {
        guard let parent = core.parent else {
            // A dynamic object that was found by its class does not know which object it lies in.
            for group in KeyGroup.groups(of: [core.key]) { try removeLinks(to: core.table.schema.name, group) }
            return
        }
        let table = parent.table
        for property in table.schema.properties where property.type.target == core.table.schema.type {
            let place = table.place(property.slot)
            try table.noteDetachment(of: core.key, from: parent.key, property)
            let statement = try table.statement(place.removal(where: "\(place.owner) = ?1 AND \(place.value) = ?2"))
            statement.bind(1, parent.key)
            statement.bind(2, core.key)
            try statement.run()
            if table.changes > 0 { realm.transaction.didModify(parent, property.slot) }
        }
    }

    // MARK: Links

    /// Removes every link to objects of a class, also those of other programs' classes.
    func removeLinks(to className: String, _ group: KeyGroup) throws(Realm.Error) {
        try removeAnyLinks(to: className, group)
        for table in realm.store.tables {
            for property in table.schema.properties where property.type.target != nil {
                let place = table.place(property.slot)
                if place.target == className { try removeLinks(place, table, property.slot, group) }
            }
        }
        try removeUnmanagedLinks(to: className, group)
    }

    private func removeLinks(
        _ place: PropertyPlace,
        _ table: ClassTable,
        _ slot: Int,
        _ group: KeyGroup
    ) throws(Realm.Error) {
        let condition = "\(place.value) \(group.comparison)"
        let owners = try keys(try table.statement(place.selectOwners(where: condition)), group)
        guard !owners.isEmpty else { return }
        try table.noteUnlinking(slot, place, group)
        let change = try table.statement(place.removal(where: condition))
        group.bind(to: change)
        try change.run()
        for owner in owners { realm.transaction.didModify(table, key: owner, slot) }
    }

    private func keys(_ statement: Statement, _ group: KeyGroup) throws(Realm.Error) -> [Int64] {
        group.bind(to: statement)
        return try statement.keys()
    }
}
