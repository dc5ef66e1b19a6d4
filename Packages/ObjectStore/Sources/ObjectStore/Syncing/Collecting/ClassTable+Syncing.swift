import ChangeModel
import EventModel
import ObjectQueries

// The rows of a class as a file that keeps its changes sends them.
extension ClassTable {
    /// The slot of a stored name.
    func slot(named name: ExactText) -> Int? { slotsByName[name] }

    /// Whether what a cell holds lies inside of the object, with cells of its own.
    func isInside(_ slot: Int, _ cell: AnyCell) -> Bool {
        switch cell {
        case .list, .dictionary: true
        case .link: schema.properties[slot].type.kind == .embedded
        case .value: false
        }
    }

    /// The single values of a row of a statement that selects ``columnList(of:)``, with their slots.
    func cells(of statement: Statement) -> [(slot: Int, cell: AnyCell)] {
        var index: Int32 = 0
        return columns.map { column in
            index += 1
            let cell = AnyCell(statement, index, schema.shape.properties[column.slot])
            if column.kind == .any { index += 1 }
            return (column.slot, cell)
        }
    }

    /// The single values of a row with their slots; none when there is no such row.
    func cells(ofRow key: Int64) throws(Realm.Error) -> [(slot: Int, cell: AnyCell)] {
        let statement = try statement(
            "SELECT \(columnList(of: name)) FROM \(name) WHERE \(StorageNames.key) = ?1"
        )
        statement.bind(1, key)
        defer { statement.reset() }
        return try statement.step() ? cells(of: statement) : []
    }

    /// Notes which objects go, before they do.
    func noteDeletion(_ group: KeyGroup) throws(Realm.Error) {
        guard let touchedCells else { return }
        try forgetHeld(group)
        if schema.isEmbedded { return try forgetLives(group) }
        guard !touchedCells.isPaused, let slot = schema.primaryKeySlot else { return }
        if slot == rowKeySlot {
            for key in group.keys where !isNew(key) { touchedCells.willDelete(self, key, .int(key)) }
            return
        }
        let condition = group.condition(on: StorageNames.key)
        let statement = try statement("SELECT \(StorageNames.key), \(column(slot)) FROM \(name) \(condition)")
        group.bind(to: statement)
        while try statement.step() {
            let row = statement.int(0)
            let value = Value(column: 1, of: statement.handle, schema.shape.properties[slot].kind)
            if !isNew(row), let key = PrimaryKey(value) { touchedCells.willDelete(self, row, key) }
        }
    }

    /// Forgets what is kept beside rows that go, whose keys may come again.
    private func forgetHeld(_ group: KeyGroup) throws(Realm.Error) {
        func forget(_ sql: String, _ name: String) throws(Realm.Error) {
            let statement = try statement(sql)
            group.bind(to: statement)
            statement.bind(3, name)
            try statement.run()
        }
        try forget("DELETE FROM \(SyncTables.links) WHERE holderClass = ?3 AND holder \(group.comparison)", schema.name)
        for property in schema.shape.properties where property.collection == .list {
            let list = StorageNames.table(schema.name, property)
            for table in [SyncTables.places, SyncTables.hides, SyncTables.placed] {
                try forget("DELETE FROM \(table) WHERE list = ?3 AND owner \(group.comparison)", list)
            }
        }
    }

    /// Forgets the names of embedded objects that go.
    private func forgetLives(_ group: KeyGroup) throws(Realm.Error) {
        let condition = group.isEverything ? "" : "AND key \(group.comparison)"
        let statement = try statement("DELETE FROM \(SyncTables.lives) WHERE class = ?3 \(condition)")
        group.bind(to: statement)
        statement.bind(3, schema.name)
        try statement.run()
    }

    /// Notes which elements of a list go because what they link to does; the server will say so itself.
    func noteUnlinking(_ slot: Int, _ place: PropertyPlace, _ group: KeyGroup) throws(Realm.Error) {
        guard let touchedCells, !touchedCells.isPaused, place.collection == .list else { return }
        let statement = try statement(
            """
            SELECT \(place.owner), \(StorageNames.element), \(StorageNames.position) FROM \(place.table) \
            WHERE \(place.value) \(group.comparison)
            """
        )
        group.bind(to: statement)
        while try statement.step() {
            let (owner, name, position) = (statement.int(0), statement.int(1), statement.int(2))
            guard !isNew(owner) else { continue }
            let id = TouchedCells.CollectionID(table: ObjectIdentifier(self), owner: owner, slot: slot)
            touchedCells.change(list: id) { $0.unlink(name, from: position) }
        }
    }

    /// Notes that an embedded object is taken out of the list or map that holds it.
    func noteDetachment(of child: Int64, from owner: Int64, _ property: PersistedProperty) throws(Realm.Error) {
        guard let touchedCells, !touchedCells.isPaused, !isNew(owner), !property.isColumn else { return }
        let place = place(property.slot)
        let isMap = property.type.collection == .dictionary
        let label = isMap ? StorageNames.entryKey : StorageNames.element
        let statement = try statement(
            "SELECT \(label), \(isMap ? "0" : StorageNames.position) FROM \(place.table) WHERE \(place.owner) = ?1 AND \(place.value) = ?2"
        )
        statement.bind(1, owner)
        statement.bind(2, child)
        let id = TouchedCells.CollectionID(table: ObjectIdentifier(self), owner: owner, slot: property.slot)
        while try statement.step() {
            if isMap {
                let key = ExactText(statement.text(0))
                touchedCells.change(map: id) { $0.keys.insert(key) }
            } else {
                let (name, position) = (statement.int(0), statement.int(1))
                touchedCells.change(list: id) { $0.remove(name, from: position) }
            }
        }
    }
}

extension ObjectWriter {
    /// Notes which properties of an object that was made of a value were not in it.
    func noteDefaults(_ core: ObjectCore, _ source: ObjectSource) {
        guard let touched = core.table.touchedCells, !core.table.schema.isEmbedded else { return }
        var defaults = ExactSlots()
        for property in core.table.schema.properties where property.isColumn && source.value(property) == nil {
            defaults.insert(property.slot)
        }
        touched.didInsert(core.table, core.key, defaults: defaults)
    }
}
