import EventModel
import ObjectQueries

/// Deletes objects: links to them become null, lists and sets lose them, embedded objects go with them.
struct ObjectDeletion {
    let realm: RealmCore

    init(_ realm: RealmCore) { self.realm = realm }

    /// Deletes a managed object.
    func delete(_ core: ObjectCore) throws(Realm.Error) {
        if core.table.schema.isEmbedded {
            try detach(core)
            try deleteEmbedded(core.table, core.key)
        } else {
            try deleteChildren(core.table, core.key)
            try removeLinks(to: core.table, core.key)
            try core.table.delete(core.key)
            realm.didDelete(core.table, key: core.key)
        }
    }

    /// Deletes an embedded object whose parent no longer refers to it.
    func deleteEmbedded(_ table: ClassTable, _ key: Int64) throws(Realm.Error) {
        try deleteChildren(table, key)
        try table.delete(key)
        realm.didDelete(table, key: key)
    }

    /// Deletes every object of the realm.
    func deleteAll() throws(Realm.Error) {
        for table in realm.store.tables { try clear(table) }
    }

    /// Deletes every object of a class; links to them and embedded objects in them are left alone.
    private func clear(_ table: ClassTable) throws(Realm.Error) {
        let name = StorageNames.table(table.schema.name)
        let keys = try table.statement("SELECT \(StorageNames.key) FROM \(name)")
        var deleted: [Int64] = []
        while try keys.step() { deleted.append(keys.int(0)) }
        for property in table.schema.shape.properties where property.collection != .none {
            try table.statement("DELETE FROM \(StorageNames.table(table.schema.name, property))").run()
        }
        try table.statement("DELETE FROM \(name)").run()
        if table.schema.hasAny { try NestedCollections(table).deleteEverything() }
        for key in deleted { realm.didDelete(table, key: key) }
    }

    /// Deletes every object of a class with its embedded objects; links to them become null, lists lose them.
    func deleteAll(of table: ClassTable) throws(Realm.Error) {
        let keys = try table.statement(
            "SELECT \(StorageNames.key) FROM \(StorageNames.table(table.schema.name)) LIMIT 1024"
        )
        while true {
            var batch: [Int64] = []
            while try keys.step() { batch.append(keys.int(0)) }
            guard !batch.isEmpty else { return }
            for key in batch {
                try deleteChildren(table, key)
                try removeLinks(to: table, key)
                try table.delete(key)
                realm.didDelete(table, key: key)
            }
        }
    }

    // MARK: Embedded objects

    private func deleteChildren(_ table: ClassTable, _ key: Int64) throws(Realm.Error) {
        for property in table.schema.properties where property.type.kind == .embedded {
            guard let target = property.type.target else { continue }
            let child = try realm.table(target)
            let shape = table.schema.shape.properties[property.slot]
            let statement = try table.statement(
                property.isColumn
                    ? """
                    SELECT \(StorageNames.column(shape)) FROM \(StorageNames.table(table.schema.name)) \
                    WHERE \(StorageNames.key) = ?1 AND \(StorageNames.column(shape)) IS NOT NULL
                    """
                    : """
                    SELECT \(StorageNames.value) FROM \(StorageNames.table(table.schema.name, shape)) \
                    WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.value) IS NOT NULL
                    """
            )
            for childKey in try keys(statement, key) { try deleteEmbedded(child, childKey) }
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
                    DELETE FROM \(StorageNames.table(table.schema.name, shape)) \
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

    private func removeLinks(to target: ClassTable, _ key: Int64) throws(Realm.Error) {
        if realm.schema.hasAny { try removeAnyLinks(to: target, key) }
        for table in realm.store.tables {
            for property in table.schema.properties where property.type.target == target.schema.type {
                try removeLinks(table, property.slot, key)
            }
        }
    }

    private func removeLinks(_ table: ClassTable, _ slot: Int, _ key: Int64) throws(Realm.Error) {
        let property = table.schema.shape.properties[slot]
        let isSingle = property.collection == .none
        let storage =
            isSingle ? StorageNames.table(table.schema.name) : StorageNames.table(table.schema.name, property)
        let value = isSingle ? StorageNames.column(property) : StorageNames.value
        let owner = isSingle ? StorageNames.key : StorageNames.owner
        let owners = try keys(try table.statement("SELECT DISTINCT \(owner) FROM \(storage) WHERE \(value) = ?1"), key)
        guard !owners.isEmpty else { return }
        let change = try table.statement(
            isSingle
                ? "UPDATE \(storage) SET \(value) = NULL WHERE \(value) = ?1"
                : "\(Self.removal(property, from: storage)) WHERE \(value) = ?1"
        )
        change.bind(1, key)
        try change.run()
        for owner in owners { realm.didModify(table, key: owner, slot) }
    }

    /// How elements that refer to a deleted object go: lists and sets lose them, entries of maps become null.
    private static func removal(_ property: PropertyShape, from table: String) -> String {
        property.collection == .dictionary
            ? "UPDATE \(table) SET \(StorageNames.value) = NULL" : "DELETE FROM \(table)"
    }

    private func keys(_ statement: Statement, _ argument: Int64) throws(Realm.Error) -> [Int64] {
        statement.bind(1, argument)
        var keys: [Int64] = []
        while try statement.step() { keys.append(statement.int(0)) }
        return keys
    }
}
