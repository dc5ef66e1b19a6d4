import ChangeModel
import EventModel
import ObjectQueries

/// Makes of what a transaction did the operations that a server is sent, from what the rows hold at its end.
///
/// So a cell that was written twice is sent once, and what came and went is not sent at all. The order is: what was deleted, what was
/// created, what lies in that, and then what was changed in objects that were there; so that nothing is ever named before it is there.
struct ChangeCollector {
    typealias Place = SyncedObjects.Place

    let store: StoreConnection
    let touched: TouchedCells
    let objects: SyncedObjects
    /// The changes so far, of which the last is being written.
    ///
    /// A transaction is one change, unless it would be larger than what is sent as one.
    var encoders = [ChangeEncoder()]
    /// The lists that were touched.
    var listed: [Listed] = []
    /// What got its name in this transaction, and so was sent as a whole.
    private var named: [String: Set<Int64>] = [:]

    /// What lies inside a cell: an embedded object, or a collection inside a value of any type.
    private struct Held {
        let className: String
        let row: Int64
        let kind: Life.Kind
    }

    /// A list that was touched, and how.
    struct Listed {
        let table: String
        let owner: Int64
        let elements: TouchedCells.Elements
        /// The index of the change in which its operations begin.
        let change: Int
        /// What came to another place, and by which operation.
        var placed: [Placed] = []

        /// An element that an operation put somewhere.
        struct Placed {
            let id: ElementID
            let change: Int
            let operation: Int
        }

        init(_ rows: Rows, _ elements: TouchedCells.Elements, change: Int) {
            (table, owner) = (rows.table, rows.owner)
            self.elements = elements
            self.change = change
        }
    }

    /// The row that holds something, and the stored name of its property; empty in a nested collection.
    struct Holder {
        let className: String
        let row: Int64
        let property: String
    }

    init(_ store: StoreConnection, _ touched: TouchedCells) {
        self.store = store
        self.touched = touched
        objects = SyncedObjects(store)
    }

    /// Everything that the transaction did.
    ///
    /// - Complexity: O(*n*) in the rows and elements that it touched.
    mutating func collect() throws(Realm.Error) {
        for table in store.tables where !table.touchedObjects.deleted.isEmpty { addDeletions(table) }
        for table in store.tables where !table.newRows.isEmpty && !table.schema.isEmbedded { try addCreations(table) }
        for table in store.tables where !table.newRows.isEmpty && table.hasInside { try addContents(ofNew: table) }
        for table in store.tables where !table.touchedObjects.written.isEmpty { try addWritten(table) }
        try addLists()
        try addMaps()
        try addSets()
        for operation in touched.posted { append(operation) }
    }

    /// Whether the transaction did nothing that others are told.
    var isEmpty: Bool { encoders.count == 1 && encoders[0].count == 0 }

    /// How many bytes of operations a change has at most, unless it is one operation: half of what a server takes.
    ///
    /// What is estimated of an operation are its texts and data; the rest fits into the other half.
    private static let changeBytes = ChangeLimits.changeBytes / 2

    /// Where the next operation comes: the index of its change, and its own in that.
    var next: (change: Int, operation: Int) { (encoders.count - 1, encoders[encoders.count - 1].count) }

    /// Begins another change if this one would become too large.
    ///
    /// - Returns: Whether it did, so that names have other numbers.
    @discardableResult
    mutating func makeRoom(for bytes: Int) -> Bool {
        let last = encoders.count - 1
        guard encoders[last].count > 0, encoders[last].byteCount + bytes > Self.changeBytes else { return false }
        encoders.append(ChangeEncoder())
        return true
    }

    /// Prepares for operations of so many bytes, of which more than a change has go into others.
    mutating func reserve(_ bytes: Int) {
        let last = encoders.count - 1
        let most = Self.changeBytes - encoders[last].byteCount
        if bytes > 0, most > 0 { encoders[last].reserve(min(bytes, most)) }
    }

    mutating func add(_ place: Place, _ action: ChangeOperation.Action) {
        append(ChangeOperation(place.object, action))
    }

    mutating func append(_ operation: ChangeOperation) {
        makeRoom(for: operation.largeBytes)
        encoders[encoders.count - 1].append(operation)
    }

    // MARK: Objects

    private mutating func addDeletions(_ table: ClassTable) {
        for (_, key) in table.touchedObjects.deleted.sorted(by: { $0.key < $1.key }) {
            append(ChangeOperation(ObjectAddress(table.exactName, key), .delete))
        }
    }

    private mutating func addContents(ofNew table: ClassTable) throws(Realm.Error) {
        guard !table.schema.isEmbedded else { return }
        for row in table.newRows.runs.keys {
            guard let place = try objects.place(table, row) else { continue }
            try addInside(of: table, row, at: place)
            try addCollections(of: table, row, at: place)
        }
    }

    private mutating func addWritten(_ table: ClassTable) throws(Realm.Error) {
        let (written, increments) = (table.touchedObjects.written, table.touchedObjects.increments)
        if !table.schema.isEmbedded { return try addWrittenObjects(table, written, increments) }
        for written in written.rows {
            let row = written.key
            guard !table.isNew(row), !isNew(table.schema.name, row), let place = try objects.place(table, row) else {
                continue
            }
            for (slot, cell) in try table.cells(ofRow: row) where written.slots.contains(slot) {
                let path = place.path.appending(.property(ExactText(table.schema.properties[slot].columnName)))
                if let sum = increments[row]?[slot] {
                    if sum != 0 { add(place, .add(path, sum)) }
                    continue
                }
                try addValue(cell, of: table, row, slot, at: Place(object: place.object, path: path))
            }
        }
    }

    /// Assigns a cell, with all that lies in it.
    mutating func addValue(
        _ cell: AnyCell,
        of table: ClassTable,
        _ row: Int64,
        _ slot: Int,
        at place: Place
    ) throws(Realm.Error) {
        let property = table.schema.shape.properties[slot]
        guard table.isInside(slot, cell) else {
            // A link whose target went in the same transaction is null by now.
            add(place, .set(place.path, try objects.value(cell, property) ?? .null))
            return
        }
        let holder = Holder(className: table.schema.name, row: row, property: property.columnName)
        try addHeld(cell, isEmbedded: property.kind == .embedded, holder, at: place)
    }

    // MARK: What lies inside

    /// Adds an embedded object or a nested collection that a cell got, with all that lies in it.
    mutating func addHeld(
        _ cell: AnyCell,
        isEmbedded: Bool,
        _ holder: Holder,
        at place: Place
    ) throws(Realm.Error) {
        // An object that stays where it is was changed in place, and is sent by itself.
        guard let held = held(cell, isEmbedded: isEmbedded), try objects.life(held.className, held.row) == nil else {
            return
        }
        let life = try name(held, holder)
        if held.kind == .embedded {
            add(place, .embeddedNew(place.path, life.id, try cells(of: held)))
        } else {
            add(place, .collectionNew(place.path, life))
        }
        try addContents(of: held, at: Place(object: place.object, path: place.path.appending(.life(life.id))))
    }

    /// Adds an element, with all that lies in it.
    mutating func addElement(
        _ id: ElementID,
        _ cell: AnyCell,
        before right: ElementID?,
        _ rows: Rows
    ) throws(Realm.Error) {
        guard let held = held(cell, isEmbedded: rows.isEmbedded) else {
            add(
                rows.place,
                .listInsert(rows.place.path, id, before: right, try objects.value(cell, rows.shape) ?? .null)
            )
            return
        }
        let known = try objects.life(held.className, held.row)
        let life: Life
        if let known { life = Life(known.id, held.kind) } else { life = try name(held, rows.holder) }
        add(rows.place, .listInsert(rows.place.path, id, before: right, .life(life)))
        guard known == nil else { return }
        let path = rows.place.path.appending(.element(id)).appending(.life(life.id))
        let inside = Place(object: rows.place.object, path: path)
        for (name, value) in try cells(of: held).sorted(by: { $0.key < $1.key }) {
            add(inside, .set(inside.path.appending(.property(name)), value))
        }
        try addContents(of: held, at: inside)
    }

    /// Adds what lies in an embedded object or nested collection beside its single values.
    private mutating func addContents(of held: Held, at inside: Place) throws(Realm.Error) {
        switch held.kind {
        case .embedded:
            guard let table = store.table(named: held.className) else { return }
            try addInside(of: table, held.row, at: inside)
            try addCollections(of: table, held.row, at: inside)
        case .list: try addElements(nested: held.row, at: inside)
        case .dictionary: try addEntries(nested: held.row, at: inside)
        }
    }

    private func held(_ cell: AnyCell, isEmbedded: Bool) -> Held? {
        switch cell {
        case .link(let className, let row):
            isEmbedded ? Held(className: className, row: row, kind: .embedded) : nil
        case .list(let key): Held(className: SyncTables.nested, row: key, kind: .list)
        case .dictionary(let key): Held(className: SyncTables.nested, row: key, kind: .dictionary)
        case .value: nil
        }
    }

    private mutating func name(_ held: Held, _ holder: Holder) throws(Realm.Error) -> Life {
        let life = SyncedObjects.HeldLife(
            id: ElementID.random(using: &touched.ids),
            holderClass: holder.className,
            holder: holder.row,
            property: holder.property
        )
        try objects.setLife(life, held.className, held.row)
        named[held.className, default: []].insert(held.row)
        return Life(life.id, held.kind)
    }

    /// Whether something was sent as a whole with what holds it.
    func isNew(_ className: String, _ row: Int64) -> Bool { named[className]?.contains(row) ?? false }

    /// The single values of an embedded object that are not null; none of a nested collection.
    private func cells(of held: Held) throws(Realm.Error) -> ChangeOperation.Cells {
        guard held.kind == .embedded, let table = store.table(named: held.className) else { return [:] }
        var cells: ChangeOperation.Cells = [:]
        for (slot, cell) in try table.cells(ofRow: held.row) where !table.isInside(slot, cell) && cell != .none {
            let property = table.schema.shape.properties[slot]
            cells[ExactText(property.columnName)] = try objects.value(cell, property)
        }
        return cells
    }

    /// Adds the embedded objects and nested collections of single properties of a new row.
    private mutating func addInside(of table: ClassTable, _ row: Int64, at place: Place) throws(Realm.Error) {
        guard !table.schema.linkSlots.isEmpty || !table.schema.anySlots.isEmpty else { return }
        for (slot, cell) in try table.cells(ofRow: row) where table.isInside(slot, cell) {
            let path = place.path.appending(.property(ExactText(table.schema.properties[slot].columnName)))
            try addValue(cell, of: table, row, slot, at: Place(object: place.object, path: path))
        }
    }
}
