import ChangeModel
import EventModel
import ObjectQueries

// Links whose targets come and go.
extension SyncedWriter {
    /// Keeps the links to an object that goes: whether they are cleared is for the server to say.
    func keepLinks(to object: ObjectAddress, _ table: ClassTable, _ row: Int64) throws(Realm.Error) {
        for owner in realm.store.tables {
            for property in owner.schema.properties {
                let shape = owner.schema.shape.properties[property.slot]
                if shape.kind == .link, shape.targetClass == table.schema.name {
                    try keepLinks(to: object, .int(row), owner, property.slot)
                } else if shape.kind == .any {
                    try keepLinks(to: object, .string(StorageNames.link(table.schema.name, row)), owner, property.slot)
                }
            }
        }
        guard realm.schema.hasAny else { return }
        let link = StorageNames.link(table.schema.name, row)
        for (name, label) in [
            (StorageNames.nestedElements, StorageNames.element), (StorageNames.nestedEntries, StorageNames.entryKey),
        ] {
            let select = try objects.statement(
                """
                SELECT \(StorageNames.owner), \(label) FROM \(name) \
                WHERE \(StorageNames.valueType) = \(AnyCell.linkTag) AND \(StorageNames.value) = ?1
                """
            )
            select.bind(1, link)
            var holders: [UnresolvedLinks.Holder] = []
            while try select.step() {
                let step: Value = label == StorageNames.element ? .int(select.int(1)) : .string(select.text(1))
                holders.append(
                    .init(holderClass: SyncTables.nested, holder: select.int(0), property: "", step: step)
                )
            }
            for holder in holders { try links.keep(object, holder) }
        }
    }

    private func keepLinks(
        to object: ObjectAddress,
        _ value: Value,
        _ owner: ClassTable,
        _ slot: Int
    ) throws(Realm.Error) {
        let place = owner.place(slot)
        let collection = owner.schema.shape.properties[slot].collection
        let label =
            switch collection {
            case .list: StorageNames.element
            case .dictionary: StorageNames.entryKey
            case .none, .set: "NULL"
            }
        let position = collection == .list ? StorageNames.position : "0"
        let type = place.kind == .any ? "\(place.type) = \(AnyCell.linkTag) AND " : ""
        let select = try owner.statement(
            "SELECT \(place.owner), \(label), \(position) FROM \(place.table) WHERE \(type)\(place.value) = ?1"
        )
        value.bind(to: select.handle, at: 1)
        var found: [(owner: Int64, step: Value, position: Int64)] = []
        while try select.step() {
            let step: Value =
                switch collection {
                case .list: .int(select.int(1))
                case .dictionary: .string(select.text(1))
                case .none, .set: .null
                }
            found.append((select.int(0), step, select.int(2)))
        }
        for (row, step, position) in found {
            let holder = UnresolvedLinks.Holder(
                holderClass: owner.schema.name,
                holder: row,
                property: place.name,
                step: step
            )
            try links.keep(object, holder)
            guard case .int(let name) = step, place.kind != .any, let id = ElementID(name) else { continue }
            let places = ListPlaces(rows: CollectionRows(owner, row, slot), objects: objects)
            try leave(id, at: position, places)
        }
    }

    /// Lets everything show an object that waited for it.
    func resolve(_ object: ObjectAddress) throws(Realm.Error) {
        let holders = try links.take(object)
        guard !holders.isEmpty, let cell = try cell(.link(object)) else { return }
        for holder in holders {
            guard let spot = try spot(of: holder) else { continue }
            switch spot {
            case .collection(let set): try insert(set.isAny ? .anyLink(object) : .link(object), into: set)
            case .element(let list, let id):
                if try current(spot) != nil {
                    try put(cell, to: spot)
                } else {
                    try showIfPlaced(id, cell, in: list)
                }
            case .column, .entry: try put(cell, to: spot)
            }
        }
    }

    /// The cell that is called so; a set for its members.
    private func spot(of holder: UnresolvedLinks.Holder) throws(Realm.Error) -> SyncedRows.Spot? {
        let rows: CollectionRows
        if holder.holderClass == SyncTables.nested {
            guard let watched = try watched(nested: holder.holder) else { return nil }
            var isMap = false
            if case .string = holder.step { isMap = true }
            rows = CollectionRows(nested: holder.holder, isMap: isMap, in: watched)
        } else {
            guard let table = realm.store.table(named: holder.holderClass),
                let slot = table.slot(named: ExactText(holder.property))
            else { return nil }
            if table.schema.properties[slot].isColumn { return .column(table, holder.holder, slot) }
            rows = CollectionRows(table, holder.holder, slot)
        }
        switch holder.step {
        case .int(let name): return ElementID(name).map { .element(rows, $0) }
        case .string(let key): return .entry(rows, key)
        default: return .collection(rows)
        }
    }

    private func watched(nested key: Int64) throws(Realm.Error) -> CollectionRows.Watched? {
        let select = try objects.statement(
            """
            SELECT \(StorageNames.ownerClass), \(StorageNames.owner), \(StorageNames.ownerProperty) \
            FROM \(StorageNames.nested) WHERE \(StorageNames.key) = ?1
            """
        )
        select.bind(1, key)
        defer { select.reset() }
        guard try select.step(), let table = realm.store.table(named: select.text(0)),
            let slot = table.slot(named: ExactText(select.text(2)))
        else { return nil }
        return CollectionRows.Watched(table: table, row: select.int(1), slot: slot)
    }
}
