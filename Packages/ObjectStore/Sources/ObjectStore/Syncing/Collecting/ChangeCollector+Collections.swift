import ChangeModel
import EventModel
import ObjectQueries

// What was done to lists, maps and sets, and what lies in new ones.
extension ChangeCollector {
    /// The rows of one collection, and where it lies.
    @dynamicMemberLookup
    struct Rows {
        let collection: StoredCollection
        let place: Place

        var holder: Holder {
            Holder(className: collection.holderClass, row: collection.owner, property: collection.shape.columnName)
        }

        /// What is known of the collection.
        subscript<Member>(dynamicMember member: KeyPath<StoredCollection, Member>) -> Member {
            collection[keyPath: member]
        }
    }

    private func rows(of table: ClassTable, _ row: Int64, _ slot: Int, at place: Place) -> Rows {
        let name = ExactText(table.schema.shape.properties[slot].columnName)
        return Rows(
            collection: StoredCollection(table, row, slot),
            place: Place(object: place.object, path: place.path.appending(.property(name)))
        )
    }

    private func rows(nested key: Int64, isMap: Bool, at place: Place) -> Rows {
        Rows(collection: StoredCollection(nested: key, isMap: isMap), place: place)
    }

    /// The rows of a collection that was touched; nil when it is gone, or was sent whole with what holds it.
    private func rows(_ id: TouchedCells.CollectionID, isMap: Bool) throws(Realm.Error) -> Rows? {
        guard let identifier = id.table else {
            guard !isNew(SyncTables.nested, id.owner), let place = try objects.place(ofNested: id.owner) else {
                return nil
            }
            return rows(nested: id.owner, isMap: isMap, at: place)
        }
        guard let table = store.tables.first(where: { ObjectIdentifier($0) == identifier }), !table.isNew(id.owner),
            !isNew(table.schema.name, id.owner), let place = try objects.place(table, id.owner)
        else { return nil }
        return rows(of: table, id.owner, id.slot, at: place)
    }

    private func statement(_ sql: String) throws(Realm.Error) -> Statement { try objects.statement(sql) }

    private static func ordered<Value>(
        _ touched: [TouchedCells.CollectionID: Value],
        in store: StoreConnection
    ) -> [(TouchedCells.CollectionID, Value)] {
        guard !touched.isEmpty else { return [] }
        let order = Dictionary(uniqueKeysWithValues: store.tables.enumerated().map { (ObjectIdentifier($1), $0) })
        func rank(_ id: TouchedCells.CollectionID) -> (Int, Int64, Int) {
            (id.table.flatMap { order[$0] } ?? .max, id.owner, id.slot)
        }
        return touched.map { ($0.key, $0.value) }.sorted { rank($0.0) < rank($1.0) }
    }

    // MARK: New collections

    /// Adds everything in the collections of a new row.
    mutating func addCollections(of table: ClassTable, _ row: Int64, at place: Place) throws(Realm.Error) {
        for slot in table.schema.collectionSlots {
            let rows = rows(of: table, row, slot, at: place)
            switch rows.shape.collection {
            case .list: try addElements(rows)
            case .dictionary: try addEntries(rows)
            case .set: try addMembers(rows)
            case .none: continue
            }
        }
    }

    mutating func addElements(nested key: Int64, at place: Place) throws(Realm.Error) {
        try addElements(rows(nested: key, isMap: false, at: place))
    }

    mutating func addEntries(nested key: Int64, at place: Place) throws(Realm.Error) {
        try addEntries(rows(nested: key, isMap: true, at: place))
    }

    private mutating func addElements(_ rows: Rows) throws(Realm.Error) {
        let statement = try statement(
            """
            SELECT \(StorageNames.element), \(rows.columns) FROM \(rows.table) \
            WHERE \(StorageNames.owner) = ?1 ORDER BY \(StorageNames.position)
            """
        )
        statement.bind(1, rows.owner)
        var elements: [(ElementID, AnyCell)] = []
        while try statement.step() {
            guard let id = ElementID(statement.int(0)) else { continue }
            elements.append((id, AnyCell(statement, 1, rows.shape)))
        }
        for (id, cell) in elements { try addElement(id, cell, before: nil, rows) }
    }

    private mutating func addEntries(_ rows: Rows) throws(Realm.Error) {
        let statement = try statement(
            """
            SELECT \(StorageNames.entryKey), \(rows.columns) FROM \(rows.table) \
            WHERE \(StorageNames.owner) = ?1 ORDER BY \(StorageNames.entryKey)
            """
        )
        statement.bind(1, rows.owner)
        var entries: [(ExactText, AnyCell)] = []
        while try statement.step() { entries.append((ExactText(statement.text(0)), AnyCell(statement, 1, rows.shape))) }
        for (key, cell) in entries { try addEntry(key, cell, rows) }
    }

    private mutating func addEntry(_ key: ExactText, _ cell: AnyCell, _ rows: Rows) throws(Realm.Error) {
        let place = Place(object: rows.place.object, path: rows.place.path.appending(.key(key)))
        if rows.isEmbedded && cell != .none || cell.nestedKey != nil {
            try addHeld(cell, isEmbedded: rows.isEmbedded, rows.holder, at: place)
        } else {
            add(rows.place, .mapSet(rows.place.path, key, try objects.value(cell, rows.shape) ?? .null))
        }
    }

    private mutating func addMembers(_ rows: Rows) throws(Realm.Error) {
        let statement = try statement(
            """
            SELECT \(rows.columns) FROM \(rows.table) \
            WHERE \(StorageNames.owner) = ?1 ORDER BY \(StorageNames.position)
            """
        )
        statement.bind(1, rows.owner)
        var members: [AnyCell] = []
        while try statement.step() { members.append(AnyCell(statement, 0, rows.shape)) }
        for member in members {
            guard let value = try objects.value(member, rows.shape) else { continue }
            add(rows.place, .setInsert(rows.place.path, value))
        }
    }

    // MARK: Touched collections

    mutating func addLists() throws(Realm.Error) {
        for (id, elements) in Self.ordered(touched.lists, in: store) {
            guard let rows = try rows(id, isMap: false) else { continue }
            listed.append(Listed(rows, elements, change: next.change))
            if elements.isCleared { add(rows.place, .clear(rows.place.path)) }
            for name in elements.removed.sorted() {
                guard let element = ElementID(name) else { continue }
                add(rows.place, .listRemove(rows.place.path, element))
            }
            for name in elements.written.sorted() {
                guard let element = ElementID(name), let row = try row(of: name, rows) else { continue }
                try addWritten(element, row.cell, rows)
            }
            try addPlaces(elements, rows)
        }
    }

    private mutating func addWritten(_ id: ElementID, _ cell: AnyCell, _ rows: Rows) throws(Realm.Error) {
        let place = Place(object: rows.place.object, path: rows.place.path.appending(.element(id)))
        if rows.isEmbedded && cell != .none || cell.nestedKey != nil {
            try addHeld(cell, isEmbedded: rows.isEmbedded, rows.holder, at: place)
        } else {
            add(rows.place, .listSet(rows.place.path, id, try objects.value(cell, rows.shape) ?? .null))
        }
    }

    /// Adds what came to new places, in the order of the list, each before the next element that was where it is already.
    private mutating func addPlaces(_ elements: TouchedCells.Elements, _ rows: Rows) throws(Realm.Error) {
        var placed: [(position: Int64, name: Int64, cell: AnyCell)] = []
        for name in elements.inserted.union(elements.moved) {
            if let row = try row(of: name, rows) { placed.append((row.position, name, row.cell)) }
        }
        placed.sort { $0.position < $1.position }
        var rights: [ElementID?] = []
        var right: ElementID?
        for (index, element) in placed.enumerated().reversed() {
            let next = try nextName(after: element.position, rows)
            let isPlaced = index + 1 < placed.count && next == placed[index + 1].name
            if !isPlaced { right = next.flatMap { ElementID($0) } }
            rights.append(right)
        }
        for (element, right) in zip(placed, rights.reversed()) {
            guard let id = ElementID(element.name) else { continue }
            let (change, operation) = next
            listed[listed.count - 1].placed.append(.init(id: id, change: change, operation: operation))
            if elements.inserted.contains(element.name) {
                try addElement(id, element.cell, before: right, rows)
            } else {
                add(rows.place, .listMove(rows.place.path, id, before: right))
            }
        }
    }

    /// The row of an element; nil when it is gone, as an element that links to a deleted object is.
    private func row(of name: Int64, _ rows: Rows) throws(Realm.Error) -> (position: Int64, cell: AnyCell)? {
        let statement = try statement(
            """
            SELECT \(StorageNames.position), \(rows.columns) FROM \(rows.table) \
            WHERE \(StorageNames.element) = ?2 AND +\(StorageNames.owner) = ?1
            """
        )
        statement.bind(1, rows.owner)
        statement.bind(2, name)
        defer { statement.reset() }
        return try statement.step() ? (statement.int(0), AnyCell(statement, 1, rows.shape)) : nil
    }

    private func nextName(after position: Int64, _ rows: Rows) throws(Realm.Error) -> Int64? {
        let statement = try statement(
            """
            SELECT \(StorageNames.element) FROM \(rows.table) \
            WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.position) > ?2 \
            ORDER BY \(StorageNames.position) LIMIT 1
            """
        )
        statement.bind(1, rows.owner)
        statement.bind(2, position)
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : nil
    }

    mutating func addMaps() throws(Realm.Error) {
        for (id, entries) in Self.ordered(touched.maps, in: store) {
            guard let rows = try rows(id, isMap: true) else { continue }
            if entries.isCleared { add(rows.place, .clear(rows.place.path)) }
            for key in entries.keys.sorted() {
                let statement = try statement(
                    """
                    SELECT \(rows.columns) FROM \(rows.table) \
                    WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.entryKey) = ?2
                    """
                )
                statement.bind(1, rows.owner)
                statement.bind(2, key.string)
                let cell = try statement.step() ? AnyCell(statement, 0, rows.shape) : nil
                statement.reset()
                if let cell {
                    try addEntry(key, cell, rows)
                } else if !entries.isCleared {
                    add(rows.place, .mapRemove(rows.place.path, key))
                }
            }
        }
    }

    mutating func addSets() throws(Realm.Error) {
        for (id, members) in Self.ordered(touched.sets, in: store) {
            guard let rows = try rows(id, isMap: false) else { continue }
            if members.isCleared { add(rows.place, .clear(rows.place.path)) }
            for (value, stored) in members.members.sorted(by: { $0.key < $1.key }) {
                if try isMember(stored, rows) {
                    add(rows.place, .setInsert(rows.place.path, value))
                } else if !members.isCleared, try isKnown(stored) {
                    add(rows.place, .setRemove(rows.place.path, value))
                }
            }
        }
    }

    private func isMember(_ cell: AnyCell, _ rows: Rows) throws(Realm.Error) -> Bool {
        let type = rows.isAny ? "AND \(StorageNames.valueType) IS ?3" : ""
        let statement = try statement(
            """
            SELECT 1 FROM \(rows.table) WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.value) IS ?2 \(type)
            """
        )
        statement.bind(1, rows.owner)
        switch cell {
        case .link(_, let row) where !rows.isAny: statement.bind(2, row)
        case .value(let value) where !rows.isAny: value.bind(to: statement.handle, at: 2)
        default: cell.bind(to: statement.handle, at: 2)
        }
        defer { statement.reset() }
        return try statement.step()
    }

    /// Whether a member is there to be removed: the links to an object that is gone go on each device by themselves.
    private func isKnown(_ cell: AnyCell) throws(Realm.Error) -> Bool {
        guard case .link(let className, let row) = cell else { return true }
        return try objects.address(className, row) != nil
    }
}

// MARK: - The server's order

extension ChangeCollector {
    /// Notes where the server has what the changes took away or put elsewhere, until their entries come.
    ///
    /// - Parameters:
    ///   - first: The number of the first change.
    ///   - clocks: The times of all.
    /// - Throws: A `Realm.Error` when the file cannot be written to.
    func notePlaces(from first: Int, _ clocks: [HybridClock]) throws(Realm.Error) {
        for list in listed {
            let places = ListPlaces(table: list.table, owner: list.owner, objects: objects)
            let gone = list.elements.isCleared ? Set(list.elements.former.keys) : list.elements.removed
            for (name, position) in list.elements.former.sorted(by: { $0.key < $1.key }) {
                guard let id = ElementID(name) else { continue }
                let isUnlinked = list.elements.unlinked.contains(name)
                let reason: ListPlaces.Reason = isUnlinked ? .unlinked : gone.contains(name) ? .removed : .moved
                try places.hide(id, by: first + list.change, reason)
                if try places.placing(of: id) != nil {
                    if isUnlinked || gone.contains(name) { try places.removePlaced(id) }
                } else if try places.place(of: id) == nil {
                    try places.setPlace(of: id, position)
                }
            }
            for placed in list.placed {
                let stamp = PendingStamp(
                    change: first + placed.change,
                    clock: clocks[placed.change],
                    operation: placed.operation
                )
                try places.setPlaced(placed.id, by: stamp)
            }
        }
    }
}
