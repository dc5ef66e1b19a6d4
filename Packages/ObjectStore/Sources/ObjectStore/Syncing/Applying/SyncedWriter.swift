import ChangeModel
import EventModel
import ObjectQueries

/// Writes into rows what a server said, or what a pending change does again.
///
/// It looks at no time and decides nothing; see ``Integration`` for what is written at all.
struct SyncedWriter {
    let realm: RealmCore
    let objects: SyncedObjects
    let rows: SyncedRows
    let links: UnresolvedLinks

    init(_ realm: RealmCore, _ objects: SyncedObjects) {
        self.realm = realm
        self.objects = objects
        rows = SyncedRows(realm: realm, objects: objects)
        links = UnresolvedLinks(objects: objects)
    }

    // MARK: Objects

    /// Creates an object, or lets one that is there begin anew.
    func create(_ object: ObjectAddress, _ cells: ChangeOperation.Cells) throws(Realm.Error) {
        guard let table = rows.table(of: object), let keySlot = table.schema.primaryKeySlot else { return }
        guard
            object.key.value == .null
                || CellValue(object.key.value)?.fits(table.schema.shape.properties[keySlot]) == true
        else { throw .unfit(table, keySlot) }
        if let (_, row) = try rows.row(of: object) {
            try empty(table, row)
            try write(cells, of: table, row)
        } else {
            let row = try insert(table, key: object.key.value, cells)
            try writeBesideScalars(cells, of: table, row)
        }
        try resolve(object)
    }

    func delete(_ object: ObjectAddress) throws(Realm.Error) {
        guard let (table, row) = try rows.row(of: object) else { return }
        try keepLinks(to: object, table, row)
        try ObjectDeletion(realm).delete(table, [row])
    }

    /// Inserts a row with the single values that it begins with; all others are what nobody said anything about.
    private func insert(_ table: ClassTable, key: Value?, _ cells: ChangeOperation.Cells) throws(Realm.Error) -> Int64 {
        let row: Int64
        if table.rowKeySlot != nil, case .int(let number)? = key {
            row = number
            table.newRows.insert(row)
        } else {
            row = try table.takeKey()
        }
        let statement = try table.insertion()
        statement.bind(1, row)
        let indices = table.saidColumns(cells).indices
        var index: Int32 = 2
        for column in table.columns where column.slot != table.rowKeySlot {
            if column.kind == .any {
                AnyCell.none.bind(to: statement.handle, at: index)
                index += 2
                continue
            }
            let given = indices[column.slot].map { cells[$0].value }
            let value = column.slot == table.schema.primaryKeySlot ? key.flatMap { CellValue($0) } : given
            let isScalar = table.isScalar(column.slot)
            if isScalar, let scalar = value?.scalar, scalar != .null {
                guard value?.isScalar(column.kind) == true else { throw .unfit(table, column.slot) }
                scalar.bind(to: statement.handle, at: index)
            } else if column.isOptional || !isScalar {
                statement.bindNull(index)
            } else if given == nil {
                try table.unsaidValue(column.slot).bind(to: statement.handle, at: index)
            } else {
                Value.zero(column.kind).bind(to: statement.handle, at: index)
            }
            index += 1
        }
        try statement.run()
        realm.transaction.didInsert(table, key: row)
        return row
    }

    /// Lets an object be as one that was just created.
    private func empty(_ table: ClassTable, _ row: Int64) throws(Realm.Error) {
        for property in table.schema.properties where property.slot != table.schema.primaryKeySlot {
            let shape = table.schema.shape.properties[property.slot]
            guard property.isColumn else {
                let collection = CollectionRows(table, row, property.slot)
                try clear(collection)
                if collection.isList { try ListPlaces(rows: collection, objects: objects).forget() }
                continue
            }
            var value = CellValue.null
            if !shape.isOptional, table.isScalar(property.slot) {
                value = CellValue(try table.unsaidValue(property.slot)) ?? .null
            }
            try assign(value, to: .column(table, row, property.slot))
        }
    }

    /// Writes what a new row did not begin with.
    private func writeBesideScalars(
        _ cells: ChangeOperation.Cells,
        of table: ClassTable,
        _ row: Int64
    ) throws(Realm.Error) {
        guard !table.hasOnlyScalars else { return }
        try write(cells.only { table.slot(named: $0.key).map { !table.isScalar($0) } ?? false }, of: table, row)
    }

    private func write(_ cells: ChangeOperation.Cells, of table: ClassTable, _ row: Int64) throws(Realm.Error) {
        for (name, value) in cells {
            guard let slot = table.slot(named: name), table.schema.properties[slot].isColumn else { continue }
            try assign(value, to: .column(table, row, slot))
        }
    }

    // MARK: Cells

    /// Gives a cell a value that has no cells of its own.
    func assign(_ value: CellValue, to spot: SyncedRows.Spot) throws(Realm.Error) {
        guard value.fits(shape(of: spot)) else { throw .unfit(spot) }
        if let cell = try stored(value, for: spot) { try put(cell, to: spot) }
    }

    /// Gives a property a value of a type that has a column alone; nothing happens when the object is not there.
    func assign(_ value: CellValue, to key: PrimaryKey, _ table: ClassTable, _ slot: Int) throws(Realm.Error) {
        let row: Int64
        if table.isKeyedByInt, case .int(let number) = key {
            row = number
        } else {
            guard let found = try rows.row(of: ObjectAddress(table.exactName, key)) else { return }
            row = found.row
        }
        guard value.fits(table.schema.shape.properties[slot]), let scalar = value.scalar else {
            throw .unfit(table, slot)
        }
        if try table.updateIfDifferent(slot, key: row, { scalar.bind(to: $0, at: $1) }) {
            realm.transaction.didModify(table, key: row, slot)
        }
    }

    /// Puts a new embedded object into a cell, or gives the one that is there already these values.
    func embed(_ id: ElementID, _ cells: ChangeOperation.Cells, at spot: SyncedRows.Spot) throws(Realm.Error) {
        let shape = shape(of: spot)
        guard shape.kind == .embedded, let className = shape.targetClass,
            let table = realm.store.table(named: className)
        else { throw .unfit(spot) }
        if case .link(_, let row)? = try current(spot), try objects.life(className, row)?.id == id {
            try write(cells, of: table, row)
            return
        }
        let row = try insertEmbedded(id, table, cells, at: spot)
        try put(.link(className: className, key: row), to: spot)
        try writeBesideScalars(cells, of: table, row)
    }

    func insertEmbedded(
        _ id: ElementID,
        _ table: ClassTable,
        _ cells: ChangeOperation.Cells,
        at spot: SyncedRows.Spot
    ) throws(Realm.Error) -> Int64 {
        let row = try insert(table, key: nil, cells)
        try objects.setLife(life(id, at: spot), table.schema.name, row)
        return row
    }

    /// Puts a new nested collection into a cell; nothing happens when it is there already.
    func nest(_ life: Life, at spot: SyncedRows.Spot) throws(Realm.Error) {
        guard shape(of: spot).kind == .any, life.kind != .embedded else { throw .unfit(spot) }
        if let key = try current(spot)?.nestedKey, try objects.life(SyncTables.nested, key)?.id == life.id { return }
        let key = try makeNested(at: spot)
        try objects.setLife(self.life(life.id, at: spot), SyncTables.nested, key)
        try put(life.kind == .list ? .list(key) : .dictionary(key), to: spot)
    }

    func makeNested(at spot: SyncedRows.Spot) throws(Realm.Error) -> Int64 {
        let (watched, depth) = (watched(spot), try depth(of: spot) + 1)
        return try NestedCollections(watched.table).make(in: watched.table, watched.row, watched.slot, depth: depth)
    }

    /// Removes an entry with what lies in it.
    func remove(_ key: String, from map: CollectionRows) throws(Realm.Error) {
        guard let old = try rows.cell(of: key, map) else { return }
        let delete = try objects.statement(
            "DELETE FROM \(map.table) WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.entryKey) = ?2"
        )
        delete.bind(1, map.owner)
        delete.bind(2, key)
        try delete.run()
        try links.forget(map.collection.holder(.string(key)))
        didModify(map.watched)
        try deleteHeld(old, isEmbedded: map.shape.kind == .embedded)
    }

    // MARK: Members

    func insert(_ member: CellValue, into set: CollectionRows) throws(Realm.Error) {
        guard member.fits(set.shape) else { throw .unfit(.collection(set)) }
        guard let cell = try cell(member) else {
            guard let target = member.target else { return }
            try links.forget(target, in: set.collection.holder())
            return try links.keep(target, set.collection.holder())
        }
        guard try !isMember(cell, of: set) else { return }
        let insert = try objects.statement(
            """
            INSERT INTO \(set.table) SELECT ?1, coalesce(max(\(StorageNames.position)) + 1, 0), ?2\(set.isAny ? ", ?3" : "") \
            FROM \(set.table) WHERE \(StorageNames.owner) = ?1
            """
        )
        insert.bind(1, set.owner)
        bind(cell, insert, 2, isAny: set.isAny)
        try insert.run()
        didModify(set.watched)
    }

    func remove(_ member: CellValue, from set: CollectionRows) throws(Realm.Error) {
        if let target = member.target { try links.forget(target, in: set.collection.holder()) }
        guard let cell = try cell(member) else { return }
        let delete = try objects.statement(
            """
            DELETE FROM \(set.table) WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.value) IS ?2\
            \(set.isAny ? " AND \(StorageNames.valueType) IS ?3" : "")
            """
        )
        delete.bind(1, set.owner)
        bind(cell, delete, 2, isAny: set.isAny)
        try delete.run()
        didModify(set.watched)
    }

    private func isMember(_ cell: AnyCell, of set: CollectionRows) throws(Realm.Error) -> Bool {
        let select = try objects.statement(
            """
            SELECT 1 FROM \(set.table) WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.value) IS ?2\
            \(set.isAny ? " AND \(StorageNames.valueType) IS ?3" : "")
            """
        )
        select.bind(1, set.owner)
        bind(cell, select, 2, isAny: set.isAny)
        defer { select.reset() }
        return try select.step()
    }

    /// Takes everything out of a collection.
    func clear(_ collection: CollectionRows) throws(Realm.Error) {
        var old: [AnyCell] = []
        let isHolding = collection.isAny || collection.shape.kind == .embedded
        if isHolding {
            let select = try objects.statement(
                "SELECT \(collection.columns) FROM \(collection.table) WHERE \(StorageNames.owner) = ?1"
            )
            select.bind(1, collection.owner)
            while try select.step() { old.append(AnyCell(select, 0, collection.shape)) }
        }
        let delete = try objects.statement("DELETE FROM \(collection.table) WHERE \(StorageNames.owner) = ?1")
        delete.bind(1, collection.owner)
        try delete.run()
        try links.forgetAll(collection.holderClass, collection.owner, property: collection.shape.columnName)
        didModify(collection.watched)
        for cell in old { try deleteHeld(cell, isEmbedded: collection.shape.kind == .embedded) }
    }
}
