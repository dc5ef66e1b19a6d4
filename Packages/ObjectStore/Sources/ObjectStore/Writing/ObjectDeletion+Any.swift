import EventModel
import ObjectQueries

// Values of any type that link to an object that is deleted hold nothing afterwards; a set loses them.
extension ObjectDeletion {
    /// Removes the links that values of any type have to a row.
    func removeAnyLinks(to target: ClassTable, _ key: Int64) throws(Realm.Error) {
        let link = AnyCell.linkText(target.schema.name, key)
        for table in realm.store.tables where table.schema.hasAny {
            for (slot, property) in table.schema.shape.properties.enumerated() where property.kind == .any {
                let place = Place(table.schema.name, property)
                let owners = try owners(place, table, link)
                guard !owners.isEmpty else { continue }
                let change = try table.statement(
                    property.collection == .set
                        ? "DELETE FROM \(place.table) WHERE \(place.condition)"
                        : "UPDATE \(place.table) SET \(place.value) = NULL, \(place.type) = 0 WHERE \(place.condition)"
                )
                change.bind(1, link)
                try change.run()
                for owner in owners { realm.didModify(table, key: owner, slot) }
            }
        }
        let nested = NestedCollections(target)
        let owners = try nested.owners(linkingTo: link)
        guard !owners.isEmpty else { return }
        try nested.removeLinks(link)
        for owner in owners {
            guard let table = realm.store.table(named: owner.className),
                let slot = table.schema.shape.properties.firstIndex(where: { $0.columnName == owner.columnName })
            else { continue }
            realm.didModify(table, key: owner.key, slot)
        }
    }

    /// Where the values of a property are.
    private struct Place {
        let table: String
        let owner: String
        let value: String
        let type: String

        init(_ className: String, _ property: PropertyShape) {
            let isSingle = property.collection == .none
            table = isSingle ? StorageNames.table(className) : StorageNames.table(className, property)
            owner = isSingle ? StorageNames.key : StorageNames.owner
            value = isSingle ? StorageNames.column(property) : StorageNames.value
            type = isSingle ? StorageNames.typeColumn(property) : StorageNames.valueType
        }

        /// Whether a value is the link that is the first argument.
        var condition: String { "\(type) = \(AnyCell.linkTag) AND \(value) = ?1" }
    }

    private func owners(_ place: Place, _ table: ClassTable, _ link: String) throws(Realm.Error) -> [Int64] {
        let statement = try table.statement(
            "SELECT DISTINCT \(place.owner) FROM \(place.table) WHERE \(place.condition)"
        )
        statement.bind(1, link)
        var owners: [Int64] = []
        while try statement.step() { owners.append(statement.int(0)) }
        return owners
    }
}
