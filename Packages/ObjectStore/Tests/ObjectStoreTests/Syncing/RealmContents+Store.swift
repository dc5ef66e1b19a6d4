import ChangeModel
import ChangeModelTesting
import EventModel
import ObjectQueries

@testable import ObjectStore

extension RealmContents {
    /// Reads everything that a file which keeps its changes holds, row by row, under the names that a server knows.
    ///
    /// Properties that are null are left out, as are collections without elements.
    init(_ realm: Realm) throws {
        self.init()
        let store = realm.core.store
        try realm.core.store.use { () throws(Realm.Error) in
            for table in store.tables where !table.schema.isEmbedded {
                for row in try table.statement("SELECT \(StorageNames.key) FROM \(table.name)").keys() {
                    var reader = StoredObject(SyncedObjects(store))
                    guard let address = try reader.objects.address(table.schema.name, row) else { continue }
                    try reader.read(table, row, at: CellPath(steps: []))
                    objects[address] = reader.contents
                }
            }
            for (address, link) in try Self.unresolvedLinks(SyncedObjects(store)) {
                objects[address.object]?.cells[address.path] = link
            }
        }
    }

    /// The cells that link to what is not here.
    private static func unresolvedLinks(
        _ names: SyncedObjects
    ) throws(Realm.Error) -> [(CellAddress, CellValue)] {
        let select = try names.store.connection.prepare(
            "SELECT class, key, holderClass, holder, property, step FROM \(SyncTables.links)"
        )
        var links: [(CellAddress, CellValue)] = []
        while try select.step() {
            let target = ObjectAddress(ExactText(select.text(0)), .int(select.int(1)))
            var around: SyncedObjects.Place?
            if select.text(2) == SyncTables.nested {
                around = try names.place(ofNested: select.int(3))
            } else if let table = names.store.table(named: select.text(2)) {
                around = try names.place(table, select.int(3))
                    .map { .init(object: $0.object, path: $0.path.appending(.property(ExactText(select.text(4))))) }
            }
            guard let around else { continue }
            var path = around.path
            let shape = names.store.table(named: select.text(2))?.schema.shape.properties
                .first { $0.columnName == select.text(4) }
            let link: CellValue = shape.map { $0.kind == .any } ?? true ? .anyLink(target) : .link(target)
            switch select.kind(5) {
            case .int: if let id = ElementID(select.int(5)) { path = path.appending(.element(id)) }
            case .text: path = path.appending(.key(ExactText(select.text(5))))
            default:
                if shape?.collection == .set { path = path.appending(.member(link)) }
            }
            links.append((CellAddress(around.object, path), link))
        }
        return links
    }

    /// A line for each link that waits for an object that is here, and that nothing pending is about.
    static func forgottenLinks(_ realm: Realm, without pending: [Change]) throws -> [String] {
        let store = realm.core.store
        let covered = Set(pending.flatMap(\.operations).filter { $0.path == nil }.map(\.object))
        return try store.use { () throws(Realm.Error) in
            let names = SyncedObjects(store)
            let rows = SyncedRows(realm: realm.core, objects: names)
            var lines: [String] = []
            for (address, link) in try unresolvedLinks(names) {
                guard let target = link.target, !covered.contains(target), try rows.row(of: target) != nil else {
                    continue
                }
                lines.append("\(address.object) \(address.path) waits for \(target), which is here")
            }
            return lines
        }
    }

    /// The lists of which the server has another order than is shown, as the device thinks that the server has them.
    static func confirmedLists(_ realm: Realm) throws -> [CellAddress: [ElementID]] {
        let store = realm.core.store
        return try store.use { () throws(Realm.Error) in
            let objects = SyncedObjects(store)
            var lists: [CellAddress: [ElementID]] = [:]
            let select = try store.connection.prepare(
                """
                SELECT DISTINCT list, owner FROM \(SyncTables.places) \
                UNION SELECT list, owner FROM \(SyncTables.placed)
                """
            )
            var names: [(String, Int64)] = []
            while try select.step() { names.append((select.text(0), select.int(1))) }
            for (name, owner) in names {
                guard let address = try address(of: name, owner, objects) else { continue }
                let order = try store.connection.prepare(
                    """
                    SELECT \(StorageNames.position) AS p, \(StorageNames.element) FROM \(name) WHERE \(StorageNames.owner) = ?2 \
                    AND \(StorageNames.element) NOT IN (SELECT element FROM \(SyncTables.placed) WHERE list = ?1 AND owner = ?2) \
                    AND \(StorageNames.element) NOT IN (SELECT element FROM \(SyncTables.places) WHERE list = ?1 AND owner = ?2) \
                    UNION ALL SELECT position, element FROM \(SyncTables.places) WHERE list = ?1 AND owner = ?2 ORDER BY p
                    """
                )
                order.bind(1, name)
                order.bind(2, owner)
                var elements: [ElementID] = []
                while try order.step() { if let id = ElementID(order.int(1)) { elements.append(id) } }
                lists[address] = elements
            }
            return lists
        }
    }

    private static func address(
        of list: String,
        _ owner: Int64,
        _ objects: SyncedObjects
    ) throws(Realm.Error) -> CellAddress? {
        if list == StorageNames.nestedElements {
            return try objects.place(ofNested: owner).map { CellAddress($0.object, $0.path) }
        }
        for table in objects.store.tables {
            for slot in table.schema.collectionSlots {
                let shape = table.schema.shape.properties[slot]
                guard StorageNames.table(table.schema.name, shape) == list else { continue }
                return try objects.place(table, owner)
                    .map { CellAddress($0.object, $0.path.appending(.property(ExactText(shape.columnName)))) }
            }
        }
        return nil
    }

    /// The contents without properties that are null, and without empty lists.
    var condensed: RealmContents {
        RealmContents(
            objects: objects.mapValues { object in
                var object = object
                object.cells = object.cells.filter { path, value in
                    if case .property = path.steps.last { value != .null } else { true }
                }
                object.lists = object.lists.filter { !$0.value.isEmpty }
                return object
            }
        )
    }
}

/// Reads one object with all that lies in it.
private struct StoredObject {
    let objects: SyncedObjects
    var contents = RealmContents.Object()

    init(_ objects: SyncedObjects) { self.objects = objects }

    mutating func read(_ table: ClassTable, _ row: Int64, at path: CellPath) throws(Realm.Error) {
        for (slot, cell) in try table.cells(ofRow: row) where slot != table.schema.primaryKeySlot {
            let property = table.schema.shape.properties[slot]
            let step = path.appending(.property(ExactText(property.columnName)))
            if cell == .none { continue }
            try put(cell, property, at: step)
        }
        for slot in table.schema.collectionSlots {
            let property = table.schema.shape.properties[slot]
            let step = path.appending(.property(ExactText(property.columnName)))
            try read(StorageNames.table(table.schema.name, property), row, property, property.collection, at: step)
        }
    }

    private mutating func read(
        _ table: String,
        _ owner: Int64,
        _ property: PropertyShape,
        _ collection: PropertyShape.Collection,
        at path: CellPath
    ) throws(Realm.Error) {
        let label =
            switch collection {
            case .list: StorageNames.element
            case .dictionary: StorageNames.entryKey
            case .set, .none: StorageNames.position
            }
        let order = collection == .dictionary ? StorageNames.entryKey : StorageNames.position
        let columns = property.kind == .any ? "\(StorageNames.value), \(StorageNames.valueType)" : StorageNames.value
        let statement = try objects.statement(
            "SELECT \(label), \(columns) FROM \(table) WHERE \(StorageNames.owner) = ?1 ORDER BY \(order)"
        )
        statement.bind(1, owner)
        var rows: [(step: CellPath.Step?, cell: AnyCell)] = []
        while try statement.step() {
            let cell = AnyCell(statement, 1, property)
            switch collection {
            case .list: rows.append((ElementID(statement.int(0)).map(CellPath.Step.element), cell))
            case .dictionary: rows.append((.key(ExactText(statement.text(0))), cell))
            case .set, .none: rows.append((nil, cell))
            }
        }
        for (step, cell) in rows {
            if let step {
                if case .element(let id) = step { contents.lists[path, default: []].append(id) }
                try put(cell, property, at: path.appending(step))
            } else if let value = try objects.value(cell, property) {
                contents.cells[path.appending(.member(value))] = value
            }
        }
    }

    private mutating func put(_ cell: AnyCell, _ property: PropertyShape, at path: CellPath) throws(Realm.Error) {
        switch cell {
        case .link(let className, let row) where property.kind == .embedded:
            guard let life = try objects.life(className, row), let table = objects.store.table(named: className) else {
                return
            }
            contents.cells[path] = .life(Life(life.id, .embedded))
            try read(table, row, at: path.appending(.life(life.id)))
        case .list(let key), .dictionary(let key):
            guard let life = try objects.life(SyncTables.nested, key) else { return }
            let isMap = cell == .dictionary(key)
            contents.cells[path] = .life(Life(life.id, isMap ? .dictionary : .list))
            let shape = PropertyShape(name: "", columnName: "", kind: .any, isOptional: true)
            try read(
                isMap ? StorageNames.nestedEntries : StorageNames.nestedElements,
                key,
                shape,
                isMap ? .dictionary : .list,
                at: path.appending(.life(life.id))
            )
        default: contents.cells[path] = try objects.value(cell, property)
        }
    }
}
