import ChangeModel
import EventModel
import Foundation
import ObjectQueries

// How a cell is written, whichever it is.
extension SyncedWriter {
    func shape(of spot: SyncedRows.Spot) -> PropertyShape {
        switch spot {
        case .column(let table, _, let slot): table.schema.shape.properties[slot]
        case .entry(let rows, _), .element(let rows, _), .collection(let rows): rows.shape
        }
    }

    func watched(_ spot: SyncedRows.Spot) -> CollectionRows.Watched {
        switch spot {
        case .column(let table, let row, let slot): CollectionRows.Watched(table: table, row: row, slot: slot)
        case .entry(let rows, _), .element(let rows, _), .collection(let rows): rows.watched
        }
    }

    func didModify(_ watched: CollectionRows.Watched) {
        realm.transaction.didModify(watched.table, key: watched.row, watched.slot)
    }

    func holder(_ spot: SyncedRows.Spot) -> UnresolvedLinks.Holder {
        switch spot {
        case .column(let table, let row, let slot):
            UnresolvedLinks.Holder(
                holderClass: table.schema.name,
                holder: row,
                property: table.schema.properties[slot].columnName,
                step: .null
            )
        case .entry(let rows, let key): rows.collection.holder(.string(key))
        case .element(let rows, let id): rows.collection.holder(.int(Int64(id.bits)))
        case .collection(let rows): rows.collection.holder()
        }
    }

    /// The name of what a cell holds, as it is written down.
    func life(_ id: ElementID, at spot: SyncedRows.Spot) -> SyncedObjects.HeldLife {
        let holder = holder(spot)
        return SyncedObjects.HeldLife(
            id: id,
            holderClass: holder.holderClass,
            holder: holder.holder,
            property: holder.property
        )
    }

    /// How many nested collections lie around a cell.
    func depth(of spot: SyncedRows.Spot) throws(Realm.Error) -> Int {
        switch spot {
        case .entry(let rows, _), .element(let rows, _):
            guard rows.holderClass == SyncTables.nested else { return 0 }
            return try NestedCollections(realm.store).depth(of: rows.owner) ?? 0
        case .column, .collection: return 0
        }
    }

    /// What a cell holds; nil for an entry or element that is not there.
    func current(_ spot: SyncedRows.Spot) throws(Realm.Error) -> AnyCell? {
        switch spot {
        case .column(let table, let row, let slot): try rows.cell(table, row, slot)
        case .entry(let map, let key): try rows.cell(of: key, map)
        case .element(let list, let id): try rows.cell(of: id, list)?.cell
        case .collection: nil
        }
    }

    /// What a row has for a value; nil for a link whose target is not here.
    func cell(_ value: CellValue) throws(Realm.Error) -> AnyCell? {
        if let scalar = value.scalar { return .value(scalar) }
        guard let target = value.target, let (table, row) = try rows.row(of: target) else { return nil }
        return .link(className: table.schema.name, key: row)
    }

    /// What a row gets for a value; a link whose target is not here is kept for later.
    ///
    /// - Returns: nil for an element that is not to be shown until then.
    func stored(_ value: CellValue, for spot: SyncedRows.Spot) throws(Realm.Error) -> AnyCell? {
        let holder = holder(spot)
        try links.forget(holder)
        if let cell = try cell(value) { return cell }
        guard let target = value.target else { return AnyCell.none }
        try links.keep(target, holder)
        if case .element = spot, shape(of: spot).kind != .any { return nil }
        return AnyCell.none
    }

    /// Writes what a cell holds; what lay in the former value goes.
    func put(_ cell: AnyCell, to spot: SyncedRows.Spot) throws(Realm.Error) {
        let old = try current(spot)
        if old == cell { return }
        switch spot {
        case .column(let table, let row, let slot):
            if shape(of: spot).kind == .any {
                try table.update(slot, key: row, to: cell)
            } else {
                try table.update(slot, key: row) { bind(cell, $0, $1) }
            }
        case .entry(let map, let key): try write(cell, key, map, isNew: old == nil)
        case .element(let list, let id):
            // An element that stands nowhere has no value.
            guard old != nil else { return }
            let update = try objects.statement(
                """
                UPDATE \(list.table) SET \(StorageNames.value) = ?3\(list.isAny ? ", \(StorageNames.valueType) = ?4" : "") \
                WHERE \(StorageNames.element) = ?2 AND +\(StorageNames.owner) = ?1
                """
            )
            update.bind(1, list.owner)
            update.bind(2, Int64(id.bits))
            bind(cell, update, 3, isAny: list.isAny)
            try update.run()
        case .collection: return
        }
        didModify(watched(spot))
        if let old { try deleteHeld(old, isEmbedded: shape(of: spot).kind == .embedded) }
    }

    private func write(_ cell: AnyCell, _ key: String, _ map: CollectionRows, isNew: Bool) throws(Realm.Error) {
        let type = map.isAny ? ", \(StorageNames.valueType) = ?4" : ""
        let statement = try objects.statement(
            isNew
                ? "INSERT INTO \(map.table) VALUES (?1, ?2, ?3\(map.isAny ? ", ?4" : ""))"
                : """
                UPDATE \(map.table) SET \(StorageNames.value) = ?3\(type) \
                WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.entryKey) = ?2
                """
        )
        statement.bind(1, map.owner)
        statement.bind(2, key)
        bind(cell, statement, 3, isAny: map.isAny)
        try statement.run()
    }

    /// Deletes the embedded object or nested collection that a cell held.
    func deleteHeld(_ cell: AnyCell, isEmbedded: Bool) throws(Realm.Error) {
        switch cell {
        case .link(let className, let row):
            guard isEmbedded else { return }
            try ObjectDeletion(realm).deleteEmbedded(named: className, [row])
        case .list(let key), .dictionary(let key): try NestedCollections(realm.store).delete(key)
        case .value: return
        }
    }

    func bind(_ cell: AnyCell, _ statement: Statement, _ index: Int32, isAny: Bool) {
        if isAny { cell.bind(to: statement.handle, at: index) } else { bind(cell, statement.handle, index) }
    }

    /// Binds what a column of a known type holds.
    private func bind(_ cell: AnyCell, _ statement: OpaquePointer, _ index: Int32) {
        switch cell {
        case .value(let value): value.bind(to: statement, at: index)
        case .link(_, let row): row._bind(to: statement, at: index)
        case .list, .dictionary: bindNull(statement, index)
        }
    }
}

extension ClassTable {
    /// Whether a property has a column whose value is no row and has no type beside it.
    func isScalar(_ slot: Int) -> Bool { scalars[slot] }
}

extension Value {
    /// What a required property holds when nobody said anything.
    static func zero(_ kind: PropertyShape.Kind) -> Value {
        switch kind {
        case .int: .int(0)
        case .bool: .bool(false)
        case .float: .float(0)
        case .double: .double(0)
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
        case .string: .string("")
        case .data: .data([])
        case .objectId: .objectId(ObjectId(high: 0, low: 0))
        case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        case .decimal128: .decimal128(Decimal128())
        case .any, .link, .embedded: .null
        }
    }
}

extension Realm.Error {
    /// A server said something that a class has no place for.
    static func unfit(_ table: ClassTable, _ slot: Int) -> Realm.Error {
        Realm.Error(
            .schemaMismatch,
            """
            The server sent a value of another kind than '\(table.schema.name).\(table.schema.properties[slot].name)' has; nothing \
            of it was written.
            """
        )
    }

    static func unfit(_ spot: SyncedRows.Spot) -> Realm.Error {
        switch spot {
        case .column(let table, _, let slot): unfit(table, slot)
        case .entry(let rows, _), .element(let rows, _), .collection(let rows):
            unfit(rows.watched.table, rows.watched.slot)
        }
    }
}
