import EventModel
import ObjectQueries

// Values of any type that link to an object that is deleted hold nothing afterwards; a set loses them.
extension ObjectDeletion {
    /// Removes the links that values of any type have to rows, also those of other programs' classes.
    func removeAnyLinks(to className: String, _ group: KeyGroup) throws(Realm.Error) {
        let unmanaged = try realm.store.unmanagedPlaces()
        guard realm.schema.hasAny || unmanaged.hasAny else { return }
        let links = group.keys.map { StorageNames.link(className, $0) }
        for table in realm.store.tables where table.schema.hasAny {
            for (slot, property) in table.schema.shape.properties.enumerated() where property.kind == .any {
                let place = table.place(slot)
                for link in links {
                    let owners = try owners(try table.statement(place.selectOwners(where: place.isLink)), link)
                    guard !owners.isEmpty else { continue }
                    try run(try table.statement(place.removal(where: place.isLink)), link)
                    for owner in owners { realm.transaction.didModify(table, key: owner, slot) }
                }
            }
        }
        for place in unmanaged.all where place.kind == .any {
            let connection = realm.store.connection
            for link in links {
                let owners = try owners(try connection.prepare(place.selectOwners(where: place.isLink)), link)
                guard !owners.isEmpty else { continue }
                try run(try connection.prepare(place.removal(where: place.isLink)), link)
                for owner in owners { realm.transaction.didModify(place, key: owner) }
            }
        }
        for link in links { try removeNestedLinks(link) }
    }

    private func removeNestedLinks(_ link: String) throws(Realm.Error) {
        let nested = NestedCollections(realm.store)
        let owners = try nested.owners(linkingTo: link)
        guard !owners.isEmpty else { return }
        try nested.removeLinks(link)
        for owner in owners {
            let table = realm.store.table(named: owner.className)
            if let table,
                let slot = table.schema.shape.properties.firstIndex(where: { $0.columnName == owner.columnName })
            {
                realm.transaction.didModify(table, key: owner.key, slot)
            } else {
                realm.transaction.didModify(
                    PropertyPlace(owner.className, owner.columnName, .any, .none, target: nil),
                    key: owner.key
                )
            }
        }
    }

    private func run(_ statement: Statement, _ link: String) throws(Realm.Error) {
        statement.bind(1, link)
        try statement.run()
    }

    private func owners(_ statement: Statement, _ link: String) throws(Realm.Error) -> [Int64] {
        statement.bind(1, link)
        return try statement.keys()
    }
}
