import EventModel
import ObjectQueries

/// Makes sure, at the end of a migration, that each embedded object has exactly one parent.
struct EmbeddedRows {
    let realm: RealmCore

    /// Checks the objects of a class that became embedded.
    ///
    /// - Throws: ``Realm/Error`` when an object is referred to more than once.
    func requireOneParent(_ table: ClassTable) throws(Realm.Error) {
        let shared = try table.statement(
            "SELECT child FROM (\(try references(to: table.schema.name))) GROUP BY child HAVING count(*) > 1 LIMIT 1"
        )
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
    }

    /// Deletes the objects of an embedded class that nothing refers to, with all that is inside them.
    func deleteOrphans(of className: String) throws(Realm.Error) {
        let (name, key) = (StorageNames.table(className), StorageNames.key)
        let orphans = try realm.store.connection.prepare(
            "SELECT \(key) FROM \(name) WHERE \(key) NOT IN (\(try references(to: className))) LIMIT 1024"
        )
        while true {
            let keys = try orphans.keys()
            guard !keys.isEmpty else { return }
            try ObjectDeletion(realm).deleteEmbedded(named: className, keys)
        }
    }

    /// Selects the keys of the objects of a class that properties refer to, also those of classes of other programs.
    private func references(to className: String) throws(Realm.Error) -> String {
        let managed = realm.schema.classes.flatMap(\.places).filter { $0.target == className }
        let places = managed + (try realm.store.unmanagedPlaces().places(referringTo: className))
        guard !places.isEmpty else { return "SELECT NULL AS child WHERE 0" }
        return places.map { "SELECT \($0.value) AS child FROM \($0.table) WHERE \($0.value) IS NOT NULL" }
            .joined(separator: " UNION ALL ")
    }
}
