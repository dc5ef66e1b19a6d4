import ObjectQueries

/// Changes which property the lists and dictionaries inside of values of any type belong to.
struct MigratedNestedCollections {
    let connection: Connection

    /// Lets those of one property belong to another one of the same class.
    func move(_ className: String, from old: String, to new: String) throws(Realm.Error) {
        let update = try connection.prepare(
            """
            UPDATE \(StorageNames.nested) SET \(StorageNames.ownerProperty) = ?3 \
            WHERE \(StorageNames.ownerClass) = ?1 AND \(StorageNames.ownerProperty) = ?2
            """
        )
        update.bind(1, className)
        update.bind(2, old)
        update.bind(3, new)
        try update.run()
    }

    /// Removes those of a property.
    func delete(_ className: String, _ property: String) throws(Realm.Error) {
        let condition = "\(StorageNames.ownerClass) = ?1 AND \(StorageNames.ownerProperty) = ?2"
        let keys = "SELECT \(StorageNames.key) FROM \(StorageNames.nested) WHERE \(condition)"
        for statement in [
            "DELETE FROM \(StorageNames.nestedElements) WHERE \(StorageNames.owner) IN (\(keys))",
            "DELETE FROM \(StorageNames.nestedEntries) WHERE \(StorageNames.owner) IN (\(keys))",
            "DELETE FROM \(StorageNames.nested) WHERE \(condition)",
        ] {
            let deletion = try connection.prepare(statement)
            deletion.bind(1, className)
            deletion.bind(2, property)
            try deletion.run()
        }
    }
}
