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
    }

    /// Deletes objects of a class that is not embedded; each key must be there, once.
    func delete(_ table: ClassTable, _ keys: [Int64]) throws(Realm.Error) {
        for group in KeyGroup.groups(of: keys) {
            try deleteChildren(table, group)
            try removeLinks(to: table, group)
            try deleteRows(table, group)
        }
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
        try table.delete(group)
        for key in group.keys { realm.didDelete(table, key: key) }
    }

    /// Deletes every object of the realm.
    func deleteAll() throws(Realm.Error) {
        for table in realm.store.tables { try clear(table) }
    }

    /// Deletes every object of a class; links to them and embedded objects in them are left alone.
    private func clear(_ table: ClassTable) throws(Realm.Error) {
        let deleted = try keys(of: table)
        try table.willClear(deleted)
        for property in table.schema.shape.properties where property.collection != .none {
            try table.statement("DELETE FROM \(StorageNames.table(table.schema.name, property))").run()
        }
        try table.statement("DELETE FROM \(StorageNames.table(table.schema.name))").run()
        if table.schema.hasAny { try NestedCollections(table).deleteEverything() }
        for key in deleted { realm.didDelete(table, key: key) }
    }

    /// Deletes every object of a class with its embedded objects; links to them become null, lists lose them.
    func deleteAll(of table: ClassTable) throws(Realm.Error) {
        try delete(table, try keys(of: table))
    }

    private func keys(of table: ClassTable) throws(Realm.Error) -> [Int64] {
        try table.statement("SELECT \(StorageNames.key) FROM \(StorageNames.table(table.schema.name))").keys()
    }

    // MARK: Embedded objects

    private func deleteChildren(_ table: ClassTable, _ group: KeyGroup) throws(Realm.Error) {
        for property in table.schema.properties where property.type.kind == .embedded {
            guard let target = property.type.target else { continue }
            let child = try realm.table(target)
            let shape = table.schema.shape.properties[property.slot]
            let statement = try table.statement(
                property.isColumn
                    ? """
                    SELECT \(StorageNames.column(shape)) FROM \(StorageNames.table(table.schema.name)) \
                    WHERE \(StorageNames.key) \(group.comparison) AND \(StorageNames.column(shape)) IS NOT NULL
                    """
                    : """
                    SELECT \(StorageNames.value) FROM \(StorageNames.table(table.schema.name, shape)) \
                    WHERE \(StorageNames.owner) \(group.comparison) AND \(StorageNames.value) IS NOT NULL
                    """
            )
            try deleteEmbedded(child, try keys(statement, group))
        }
    }

    /// Takes an embedded object out of its parent.
    private func detach(_ core: ObjectCore) throws(Realm.Error) {
        guard let parent = core.parent else { return }
        let table = parent.table
        for property in table.schema.properties where property.type.target == core.table.schema.type {
            let shape = table.schema.shape.properties[property.slot]
            let statement = try table.statement(
                property.isColumn
                    ? """
                    UPDATE \(StorageNames.table(table.schema.name)) SET \(StorageNames.column(shape)) = NULL \
                    WHERE \(StorageNames.key) = ?1 AND \(StorageNames.column(shape)) = ?2
                    """
                    : """
                    \(Self.removal(shape, from: StorageNames.table(table.schema.name, shape))) \
                    WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.value) = ?2
                    """
            )
            statement.bind(1, parent.key)
            statement.bind(2, core.key)
            try statement.run()
            if table.changes > 0 { realm.didModify(parent, property.slot) }
        }
    }

    // MARK: Links

    private func removeLinks(to target: ClassTable, _ group: KeyGroup) throws(Realm.Error) {
        if realm.schema.hasAny {
            for key in group.keys { try removeAnyLinks(to: target, key) }
        }
        for table in realm.store.tables {
            for property in table.schema.properties where property.type.target == target.schema.type {
                try removeLinks(table, property.slot, group)
            }
        }
    }

    private func removeLinks(_ table: ClassTable, _ slot: Int, _ group: KeyGroup) throws(Realm.Error) {
        let property = table.schema.shape.properties[slot]
        let isSingle = property.collection == .none
        let storage =
            isSingle ? StorageNames.table(table.schema.name) : StorageNames.table(table.schema.name, property)
        let value = isSingle ? StorageNames.column(property) : StorageNames.value
        let owner = isSingle ? StorageNames.key : StorageNames.owner
        let condition = "\(value) \(group.comparison)"
        let owners = try keys(try table.statement("SELECT DISTINCT \(owner) FROM \(storage) WHERE \(condition)"), group)
        guard !owners.isEmpty else { return }
        let change = try table.statement(
            isSingle
                ? "UPDATE \(storage) SET \(value) = NULL WHERE \(condition)"
                : "\(Self.removal(property, from: storage)) WHERE \(condition)"
        )
        group.bind(to: change)
        try change.run()
        for owner in owners { realm.didModify(table, key: owner, slot) }
    }

    /// How elements that refer to a deleted object go: lists and sets lose them, entries of maps become null.
    private static func removal(_ property: PropertyShape, from table: String) -> String {
        property.collection == .dictionary
            ? "UPDATE \(table) SET \(StorageNames.value) = NULL" : "DELETE FROM \(table)"
    }

    private func keys(_ statement: Statement, _ group: KeyGroup) throws(Realm.Error) -> [Int64] {
        group.bind(to: statement)
        return try statement.keys()
    }
}
