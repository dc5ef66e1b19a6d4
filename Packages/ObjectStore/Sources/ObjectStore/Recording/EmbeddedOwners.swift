import EventModel
import ObjectQueries

/// Finds the objects around embedded ones that were changed without being reached through their parents.
///
/// That happens when an object that embedded ones link to is deleted.
struct EmbeddedOwners {
    let store: StoreConnection

    /// Names the nearest object that is not embedded itself around each of some embedded ones.
    ///
    /// - Complexity: A statement for each property that holds objects of the class, on each level of nesting. Single
    ///   embedded objects are not indexed: a property that holds one is looked at in every row.
    func references(_ keys: Set<Int64>, _ table: ClassTable) throws(Realm.Error) -> [Int64: ObjectReference] {
        guard !keys.isEmpty else { return [:] }
        var found: [Int64: ObjectReference] = [:]
        for owner in store.tables {
            for property in owner.schema.properties where property.type.target == table.schema.type {
                let parents = try parents(of: keys, property, owner)
                guard !parents.isEmpty else { continue }
                let references = try references(to: Set(parents.values), owner)
                for (key, parent) in parents { found[key] = references[parent] }
            }
        }
        return found
    }

    /// The keys of the rows that hold embedded objects in a property, by the keys of these.
    private func parents(
        of keys: Set<Int64>,
        _ property: PersistedProperty,
        _ owner: ClassTable
    ) throws(Realm.Error) -> [Int64: Int64] {
        let shape = owner.schema.shape.properties[property.slot]
        let name = owner.schema.name
        let statement = try owner.statement(
            property.isColumn
                ? """
                SELECT \(StorageNames.column(shape)), \(StorageNames.key) FROM \(StorageNames.table(name)) \
                WHERE \(StorageNames.column(shape)) IN (SELECT value FROM json_each(?1))
                """
                : """
                SELECT \(StorageNames.value), \(StorageNames.owner) FROM \(StorageNames.table(name, shape)) \
                WHERE \(StorageNames.value) IN (SELECT value FROM json_each(?1))
                """
        )
        statement.bind(1, keys.jsonArray)
        var parents: [Int64: Int64] = [:]
        while try statement.step() { parents[statement.int(0)] = statement.int(1) }
        return parents
    }

    private func references(to keys: Set<Int64>, _ table: ClassTable) throws(Realm.Error) -> [Int64: ObjectReference] {
        if table.schema.isEmbedded { return try references(keys, table) }
        let primaryKeys = try WholeCapture(store: store).primaryKeys(table, keys)
        return Dictionary(
            uniqueKeysWithValues: keys.map { key in
                let primaryKey = primaryKeys[key] ?? .null
                return (key, ObjectReference(className: table.schema.name, key: key, primaryKey: primaryKey))
            }
        )
    }
}
