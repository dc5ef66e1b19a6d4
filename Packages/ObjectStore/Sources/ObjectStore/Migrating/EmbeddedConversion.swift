import EventModel
import ObjectQueries

/// Makes sure that the objects of a class that became embedded have exactly one parent.
struct EmbeddedConversion {
    let realm: RealmCore

    /// Deletes objects that nothing refers to.
    ///
    /// - Throws: ``Realm/Error`` when an object is referred to more than once.
    func convert(_ table: ClassTable) throws(Realm.Error) {
        let children = references(to: table).joined(separator: " UNION ALL ")
        let source = children.isEmpty ? "SELECT NULL AS child WHERE 0" : children
        let shared = try table.statement("SELECT child FROM (\(source)) GROUP BY child HAVING count(*) > 1 LIMIT 1")
        defer { shared.reset() }
        guard try !shared.step() else {
            throw Realm.Error(
                .schemaMismatch,
                """
                The class '\(table.schema.name)' cannot become embedded, because some of its objects have more than \
                one parent: let the migration block give each parent an object of its own.
                """,
                fileURL: realm.configuration.fileURL
            )
        }
        try deleteOrphans(table, source)
    }

    /// Queries for the keys of the objects that properties refer to.
    private func references(to table: ClassTable) -> [String] {
        realm.schema.classes.flatMap { schema in
            schema.properties.filter { $0.type.target == table.schema.type }
                .map { property in
                    let shape = schema.shape.properties[property.slot]
                    let (storage, value) =
                        property.isColumn
                        ? (StorageNames.table(schema.name), StorageNames.column(shape))
                        : (StorageNames.table(schema.name, shape), StorageNames.value)
                    return "SELECT \(value) AS child FROM \(storage) WHERE \(value) IS NOT NULL"
                }
        }
    }

    private func deleteOrphans(_ table: ClassTable, _ source: String) throws(Realm.Error) {
        let name = StorageNames.table(table.schema.name)
        let orphans = try table.statement(
            """
            SELECT \(StorageNames.key) FROM \(name) WHERE \(StorageNames.key) NOT IN (\(source)) LIMIT 1024
            """
        )
        while true {
            var keys: [Int64] = []
            while try orphans.step() { keys.append(orphans.int(0)) }
            guard !keys.isEmpty else { return }
            for key in keys { try ObjectDeletion(realm).deleteEmbedded(table, key) }
        }
    }
}
