import EventModel
import ObjectQueries

// How the rows of a collection are written.
extension ManagedElements {
    /// What a row holds.
    enum Cell {
        case null
        case key(Int64)
        case value(Element)
        case any(AnyCell)

        /// The row of an object, or the key of a nested collection.
        var key: Int64? {
            switch self {
            case .key(let key): key
            case .any(let cell): cell.nestedKey
            case .null, .value: nil
            }
        }
    }

    /// Runs a change of the program; outside of a write it traps, in a doomed one it does nothing.
    func changing(_ body: (ObjectWriter) throws(Realm.Error) -> Void) {
        let realm = core.confinedRealm
        guard realm.transaction.mayMutate(named: { "change the \(word) '\(place)'" }), core.requireValid(realm) else {
            return
        }
        guard !isInvalidated else { return realm.transaction.doom(.deletedObject(place)) }
        realm.transaction.mutating { () throws(Realm.Error) in try body(ObjectWriter(realm, policy: .error)) }
    }

    // MARK: Cells

    /// Converts a value to what a row holds; objects that are not managed yet are written first.
    func cell(_ value: Any, _ writer: ObjectWriter) throws(Realm.Error) -> Cell {
        if isAny { return .any(try anyCell(value, writer)) }
        guard holdsObjects else {
            guard let value = Element._convertedElement(value) else {
                throw .mismatch(value, Element._elementType, at: place)
            }
            return .value(value)
        }
        if let key = try writer.key(of: value, core.table.schema, property, parent: core) { return .key(key) }
        guard property.type.isOptional else { throw .mismatch(value, Element._elementType, at: place) }
        return .null
    }

    private func anyCell(_ value: Any, _ writer: ObjectWriter) throws(Realm.Error) -> AnyCell {
        let value = try AnyRealmValue(value, at: place, depth: writer.depth)
        let depth = try nested.flatMap { key throws(Realm.Error) in try NestedCollections(core.table).depth(of: key) }
        let cell = try writer.cell(of: value, in: core, slot, around: depth ?? 0)
        if property.type.collection == .set, cell.nestedKey != nil {
            throw .mismatch(value.bare as Any, Element._elementType, at: place)
        }
        return cell
    }

    /// What a row holds for an element.
    func cell(of element: Element, _ writer: ObjectWriter) throws(Realm.Error) -> Cell {
        guard holdsObjects || isAny else { return .value(element) }
        if let object = element as? ObjectBase, let key = writer.knownKey(of: object, property) { return .key(key) }
        return try cell(element, writer)
    }

    /// What the row at a place holds.
    func cell(_ contents: Contents, _ index: Int) -> Cell {
        if isAny { return .any(contents.cells[index]) }
        guard holdsObjects else { return .value(contents.values[index]) }
        return contents.rows[index].map { .key($0.key) } ?? .null
    }

    /// Whether a row has this value already.
    func isSame(_ cell: Cell, _ contents: Contents, _ index: Int) -> Bool {
        switch cell {
        case .null: contents.rows[index] == nil
        case .key(let key): contents.rows[index]?.key == key
        case .value(let value): contents.values[index]._identity == value._identity
        case .any(let cell): contents.cells[index] == cell && cell.nestedKey == nil
        }
    }

    // MARK: Rows

    /// Inserts the row of an element.
    func insert(_ cell: Cell, at label: Label) throws(Realm.Error) {
        if let touched = core.table.touchedCells { return try insert(cell, at: label, touched) }
        let places = isAny ? "?1, ?2, ?3, ?4" : "?1, ?2, ?3"
        let statement = try prepared(.insert, "INSERT INTO \(table) VALUES (\(places))")
        try run(statement, label, cell)
    }

    /// Replaces the value of a row.
    func update(_ cell: Cell, at label: Label) throws(Realm.Error) {
        if let touched = core.table.touchedCells { try willUpdate(at: label, touched) }
        let type = isAny ? ", \(StorageNames.valueType) = ?4" : ""
        let statement = try prepared(
            .update,
            """
            UPDATE \(table) SET \(StorageNames.value) = ?3\(type) \
            WHERE \(StorageNames.owner) = ?1 AND \(Label.column) = ?2
            """
        )
        try run(statement, label, cell)
    }

    func run(_ statement: Statement, _ label: Label, _ cell: Cell) throws(Realm.Error) {
        statement.bind(1, ownerKey)
        label.bind(to: statement, at: 2)
        bind(cell, to: statement, at: 3)
        try statement.run()
    }

    /// Binds what a row holds.
    func bind(_ cell: Cell, to statement: Statement, at index: Int32) {
        switch cell {
        case .null: statement.bindNull(index)
        case .key(let key): statement.bind(index, key)
        case .value(let value): value._bindElement(to: statement.handle, at: index)
        case .any(let cell): cell.bind(to: statement.handle, at: index)
        }
    }

    /// Deletes the row of an element.
    func delete(at label: Label) throws(Realm.Error) {
        if let touched = core.table.touchedCells { try willDelete(at: label, touched) }
        let statement = try prepared(
            .delete,
            "DELETE FROM \(table) WHERE \(StorageNames.owner) = ?1 AND \(Label.column) = ?2"
        )
        statement.bind(1, ownerKey)
        label.bind(to: statement, at: 2)
        try statement.run()
    }

    /// Deletes all rows.
    func deleteAll() throws(Realm.Error) {
        if let touched = core.table.touchedCells { try willDeleteAll(touched) }
        let statement = try prepared(.deleteAll, "DELETE FROM \(table) WHERE \(StorageNames.owner) = ?1")
        statement.bind(1, ownerKey)
        try statement.run()
    }

    /// Deletes embedded objects and nested collections whose rows are gone.
    func deleteChildren(_ keys: [Int64], _ realm: RealmCore) throws(Realm.Error) {
        if isAny {
            for key in keys { try NestedCollections(core.table).delete(key) }
            return
        }
        guard property.type.kind == .embedded, let target = property.type.target, !keys.isEmpty else { return }
        let table = try realm.table(target)
        try ObjectDeletion(realm).deleteEmbedded(table, keys)
    }
}

extension ManagedElements.Contents {
    /// Puts an element in front of another one, or behind all.
    mutating func insert(_ cell: ManagedElements.Cell, _ label: Label, at index: Int) {
        switch cell {
        case .null: rows.insert(nil, at: index)
        case .key(let key): rows.insert(_ElementRow(key: key, snapshot: nil, generation: 0), at: index)
        case .value(let value): values.insert(value, at: index)
        case .any(let cell): cells.insert(cell, at: index)
        }
        labels.insert(label, at: index)
    }

    /// Takes an element out.
    mutating func remove(at index: Int) {
        labels.remove(at: index)
        if !values.isEmpty {
            values.remove(at: index)
        } else if !rows.isEmpty {
            rows.remove(at: index)
        } else {
            cells.remove(at: index)
        }
    }

    /// Puts elements in place of others.
    mutating func replace(_ range: Range<Int>, with labels: [Label], _ cells: [ManagedElements.Cell]) {
        self.labels.replaceSubrange(range, with: labels)
        var values: [Element] = []
        var rows: [_ElementRow?] = []
        var anys: [AnyCell] = []
        for cell in cells {
            switch cell {
            case .null: rows.append(nil)
            case .key(let key): rows.append(_ElementRow(key: key, snapshot: nil, generation: 0))
            case .value(let value): values.append(value)
            case .any(let cell): anys.append(cell)
            }
        }
        if !self.cells.isEmpty || !anys.isEmpty {
            self.cells.replaceSubrange(range, with: anys)
        } else if self.rows.isEmpty && rows.isEmpty {
            self.values.replaceSubrange(range, with: values)
        } else {
            self.rows.replaceSubrange(range, with: rows)
        }
    }
}

// MARK: - Updating in place

extension ManagedElements {
    /// Updates the object of a row from a value, when the policy says that it is the same object.
    ///
    /// - Returns: False when the row must get another value.
    func update(_ row: _ElementRow?, from value: Any, _ writer: ObjectWriter) throws(Realm.Error) -> Bool {
        guard writer.policy == .modified, let row, let target = property.type.target, let value = unwrapped(value)
        else { return false }
        let table = try writer.realm.table(target)
        let isValue = value is [String: Any] || value is [Any]
        guard table.schema.primaryKeySlot == nil, isValue || (table.schema.isEmbedded && value is ObjectBase) else {
            return false
        }
        let parent = table.schema.isEmbedded ? core : nil
        try writer.update(ObjectCore(realm: writer.realm, table: table, key: row.key, parent: parent), from: value)
        return true
    }
}
