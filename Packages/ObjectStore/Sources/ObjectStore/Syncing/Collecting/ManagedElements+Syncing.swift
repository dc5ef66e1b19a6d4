import ChangeModel
import EventModel
import ObjectQueries

// What is noted of collections in a file that keeps its changes, as their rows are written.
extension ManagedElements {
    /// Whether each row has a name that travels with its element.
    var isNamed: Bool { core.table.touchedCells != nil && isList }

    private var isList: Bool { !Label.isKey && (nested != nil || property.type.collection == .list) }

    /// Whether what is done is a change of its own: a new object is sent as it is at the commit.
    private func isNoted(_ touched: TouchedCells) -> Bool { !touched.isPaused && !core.table.isNew(core.key) }

    fileprivate var id: TouchedCells.CollectionID {
        guard let nested else { return .init(table: ObjectIdentifier(core.table), owner: core.key, slot: slot) }
        return .init(table: nil, owner: nested, slot: 0)
    }

    /// Inserts the row of an element.
    func insert(_ cell: Cell, at label: Label, _ touched: TouchedCells) throws(Realm.Error) {
        let (name, first) = (touched.ids.make(), isAny ? 5 as Int32 : 4)
        let statement = try prepared(
            .insert,
            "INSERT INTO \(table) VALUES (\((1..<first + (isList ? 1 : 0)).map { "?\($0)" }.joined(separator: ", ")))"
        )
        if isList { statement.bind(first, name) }
        try run(statement, label, cell)
        guard isNoted(touched) else { return }
        if isList {
            touched.change(list: id) { $0.insert(name) }
        } else if let key = label as? String {
            touched.change(map: id) { $0.keys.insert(ExactText(key)) }
        } else {
            let (value, stored) = try member(at: label)
            touched.change(set: id) { $0.members[value] = stored }
        }
    }

    /// Notes that an element, or the entry of a key, gets another value.
    func willUpdate(at label: Label, _ touched: TouchedCells) throws(Realm.Error) {
        guard isNoted(touched) else { return }
        if let key = label as? String {
            touched.change(map: id) { $0.keys.insert(ExactText(key)) }
        } else if isList {
            let name = try name(at: label)
            touched.change(list: id) { $0.write(name) }
        }
    }

    /// Notes that an element, a member or an entry goes.
    func willDelete(at label: Label, _ touched: TouchedCells) throws(Realm.Error) {
        guard isNoted(touched) else { return }
        if let key = label as? String {
            touched.change(map: id) { $0.keys.insert(ExactText(key)) }
        } else if isList {
            let name = try name(at: label)
            touched.change(list: id) { $0.remove(name, from: label as? Int64 ?? 0) }
        } else {
            let (value, stored) = try member(at: label)
            touched.change(set: id) { $0.members[value] = stored }
        }
    }

    /// Notes that the elements of a stretch of a list go.
    func willDelete(_ first: Int64, through last: Int64, _ touched: TouchedCells) throws(Realm.Error) {
        guard isNoted(touched) else { return }
        let elements = try names(first, last)
        touched.change(list: id) { for (name, position) in elements { $0.remove(name, from: position) } }
    }

    /// The elements of a stretch of a list, and where they stand.
    private func names(_ first: Int64, _ last: Int64) throws(Realm.Error) -> [(id: Int64, position: Int64)] {
        let statement = try prepared(
            .names,
            """
            SELECT \(StorageNames.element), \(StorageNames.position) FROM \(table) \
            WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.position) BETWEEN ?2 AND ?3
            """
        )
        statement.bind(1, ownerKey)
        statement.bind(2, first)
        statement.bind(3, last)
        var names: [(id: Int64, position: Int64)] = []
        while try statement.step() { names.append((statement.int(0), statement.int(1))) }
        return names
    }

    /// Notes that everything goes at once, also what others put in meanwhile without being seen.
    func willDeleteAll(_ touched: TouchedCells) throws(Realm.Error) {
        guard isNoted(touched) else { return }
        if Label.isKey {
            touched.change(map: id) { $0.clear() }
        } else if isList {
            let all = try names(.min, .max)
            touched.change(list: id) { $0.clear(all) }
        } else {
            touched.change(set: id) { $0.clear() }
        }
    }

    /// Notes that an element gets another place.
    func willMove(at label: Label, _ touched: TouchedCells) throws(Realm.Error) {
        guard isNoted(touched) else { return }
        let name = try name(at: label)
        touched.change(list: id) { $0.move(name, from: label as? Int64 ?? 0) }
    }

    /// The name of the element of a list.
    func name(at label: Label) throws(Realm.Error) -> Int64 {
        let statement = try prepared(
            .name,
            "SELECT \(StorageNames.element) FROM \(table) WHERE \(StorageNames.owner) = ?1 AND \(Label.column) = ?2"
        )
        statement.bind(1, ownerKey)
        label.bind(to: statement, at: 2)
        defer { statement.reset() }
        // The row of a label that was read is there, unless the file is damaged.
        guard try statement.step() else {
            throw .damaged(core.confinedRealm.store.connection.fileURL, ["A list has lost an element."])
        }
        return statement.int(0)
    }

    /// Lets an element come to a place of another one, which goes elsewhere itself.
    func put(_ cell: Cell, named name: Int64, from former: Label, at label: Label) throws(Realm.Error) {
        let type = isAny ? ", \(StorageNames.valueType) = ?4" : ""
        let place: Int32 = isAny ? 5 : 4
        let statement = try prepared(
            .rename,
            """
            UPDATE \(table) SET \(StorageNames.value) = ?3\(type), \(StorageNames.element) = ?\(place) \
            WHERE \(StorageNames.owner) = ?1 AND \(Label.column) = ?2
            """
        )
        statement.bind(place, name)
        try run(statement, label, cell)
        guard let touched = core.table.touchedCells, isNoted(touched) else { return }
        touched.change(list: id) { $0.move(name, from: former as? Int64 ?? 0) }
    }

    /// The member of a set as the server knows it, and as the row has it.
    private func member(at label: Label) throws(Realm.Error) -> (CellValue, AnyCell) {
        let statement = try prepared(
            .member,
            """
            SELECT \(StorageNames.value)\(isAny ? ", \(StorageNames.valueType)" : "") FROM \(table) \
            WHERE \(StorageNames.owner) = ?1 AND \(Label.column) = ?2
            """
        )
        statement.bind(1, ownerKey)
        label.bind(to: statement, at: 2)
        defer { statement.reset() }
        guard try statement.step() else {
            throw .damaged(core.confinedRealm.store.connection.fileURL, ["A set has lost a member."])
        }
        let shape = core.table.schema.shape.properties[slot]
        let stored = AnyCell(statement, 0, shape)
        return (try SyncedObjects(core.confinedRealm.store).value(stored, shape) ?? .null, stored)
    }
}

extension ManagedElements where Label == Int64 {
    /// Lets what stands between rows stay between them when these get other positions.
    func willReposition(_ range: Range<Int>, to keys: [Int64], _ touched: TouchedCells) throws(Realm.Error) {
        let labels = contents.labels
        let following = Repositioning(
            previous: range.lowerBound > 0 ? labels[range.lowerBound - 1] : nil,
            old: Array(labels[range]),
            new: keys,
            next: range.upperBound < labels.count ? labels[range.upperBound] : nil
        )
        touched.reposition(list: id, following)
        let objects = SyncedObjects(core.confinedRealm.store)
        try ListPlaces(table: table, owner: ownerKey, objects: objects).follow(following)
    }
}
