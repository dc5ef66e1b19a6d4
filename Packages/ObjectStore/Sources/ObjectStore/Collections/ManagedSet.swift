import ObjectQueries

/// The elements of a set in a realm, each there once; their positions are those of their insertion.
final class ManagedSet<Element: RealmCollectionValue>: ManagedElements<Int64, Element> {
    /// Whether an element is there, found by the table's index.
    func contains(_ element: Element) -> Bool {
        let realm = core.confinedRealm
        _ = count
        guard let cell = storedCell(of: element, realm) else { return false }
        return realm.reading(or: nil) { () throws(Realm.Error) in try position(of: cell) } != nil
    }

    /// Adds the elements that are missing.
    func insert(_ elements: some Sequence<Element>) {
        changing { writer throws(Realm.Error) in
            var cells: [Cell] = []
            for element in elements { cells.append(try cell(of: element, writer)) }
            try insert(cells, writer)
        }
    }

    /// Removes elements; those that are missing are skipped.
    func remove(_ elements: some Sequence<Element>) {
        changing { writer throws(Realm.Error) in
            var positions: [Int64] = []
            for element in elements {
                guard let cell = storedCell(of: element, writer.realm), let position = try position(of: cell) else {
                    continue
                }
                positions.append(position)
            }
            try remove(positions, writer)
        }
    }

    /// Removes the elements that are not among others.
    func removeAll(except kept: Set<Element._Identity>) {
        changing { writer throws(Realm.Error) in
            let contents = current()
            let removed = contents.labels.indices.filter { !kept.contains(element(contents, $0)._identity) }
            try remove(removed.map { contents.labels[$0] }, writer)
            if kept.isEmpty, let touched = core.table.touchedCells { try willDeleteAll(touched) }
        }
    }

    // MARK: Values

    /// Fills the set of a new object.
    func insert(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        let generation = core.table.generation
        let cells = try values.items.map { item throws(Realm.Error) in try cell(item.value, writer) }
        // An element may have been the very object again, with a set of its own.
        guard core.table.generation == generation else { return try assign(cells, writer) }
        for cell in cells where try position(of: cell) == nil { try insert(cell, at: try nextPosition()) }
    }

    /// Replaces the contents by values that are converted; under `.modified` only what differs is written.
    func assign(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        try assign(values.items.map { item throws(Realm.Error) in try cell(item.value, writer) }, writer)
    }

    private func assign(_ cells: [Cell], _ writer: ObjectWriter) throws(Realm.Error) {
        let contents = current()
        var kept: Set<Int64> = []
        if writer.policy == .modified {
            for cell in cells {
                if let position = try position(of: cell) { kept.insert(position) }
            }
        }
        try remove(contents.labels.lazy.filter { !kept.contains($0) }, writer)
        if writer.policy != .modified, let touched = core.table.touchedCells { try willDeleteAll(touched) }
        try insert(cells, writer)
    }
}

// MARK: - Rows

extension ManagedSet {
    /// What a row holds for an element; nil for an object that this realm does not manage.
    private func storedCell(of element: Element, _ realm: RealmCore) -> Cell? {
        if isAny { return (element as? AnyRealmValue)?.storedCell(in: realm).map(Cell.any) }
        guard holdsObjects else { return .value(element) }
        guard let object = element as? ObjectBase else { return .null }
        guard let core = object._core, core.realm === realm, core.table.schema.type == property.type.target,
            core.isValid
        else { return nil }
        return .key(core.key)
    }

    /// Finds the row of a value; equal values are one, whatever their bytes.
    private func position(of cell: Cell) throws(Realm.Error) -> Int64? {
        let value = StorageNames.value
        let isSame =
            switch property.type.kind {
            case .decimal128:
                "\(QueryFunctions.decimalKeyName)(\(value)) IS \(QueryFunctions.decimalKeyName)(?2)"
            case .any: "\(value) IS ?2 AND \(StorageNames.valueType) IS ?3"
            default: "\(value) IS ?2"
            }
        let statement = try core.table.statement(
            "SELECT \(StorageNames.position) FROM \(table) WHERE \(StorageNames.owner) = ?1 AND \(isSame)"
        )
        statement.bind(1, ownerKey)
        bind(cell, to: statement, at: 2)
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : nil
    }

    private func nextPosition() throws(Realm.Error) -> Int64 {
        let statement = try core.table.statement(
            "SELECT max(\(StorageNames.position)) FROM \(table) WHERE \(StorageNames.owner) = ?1"
        )
        statement.bind(1, ownerKey)
        defer { statement.reset() }
        return try statement.step() && !statement.isNull(0) ? statement.int(0) + 1 : 0
    }

    private func insert(_ cells: [Cell], _ writer: ObjectWriter) throws(Realm.Error) {
        let wasCurrent = isCurrent
        var added: [(position: Int64, cell: Cell)] = []
        for cell in cells where try position(of: cell) == nil {
            var position = 0 as Int64
            if let last = added.last { position = last.position + 1 } else { position = try nextPosition() }
            try insert(cell, at: position)
            added.append((position, cell))
        }
        guard !added.isEmpty else { return }
        writer.realm.transaction.didModify(core, slot)
        keep(wasCurrent) { kept in
            let end = kept.labels.count..<kept.labels.count
            kept.replace(end, with: added.map(\.position), added.map(\.cell))
        }
    }

    private func remove(_ removed: some Sequence<Int64>, _ writer: ObjectWriter) throws(Realm.Error) {
        let positions = Array(removed)
        guard !positions.isEmpty else { return }
        let wasCurrent = isCurrent
        for position in positions { try delete(at: position) }
        writer.realm.transaction.didModify(core, slot)
        keep(wasCurrent) { kept in
            let removed = Set(positions)
            for index in kept.labels.indices.reversed() where removed.contains(kept.labels[index]) {
                kept.replace(index..<(index + 1), with: [], [])
            }
        }
    }
}
