import ChangeModel
import EventModel
import ObjectQueries

/// The rows of a file under the names that a server knows: class and primary key, and the way to what lies in an object.
///
/// What was looked up is kept, so that an instance serves one transaction.
final class SyncedObjects {
    /// Where something lies: in which object, and on which way from there.
    struct Place {
        let object: ObjectAddress
        let path: CellPath
    }

    /// The name of an embedded object or nested collection, and what holds it.
    struct HeldLife {
        let id: ElementID
        /// The class of the row that holds it, or ``SyncTables/nested``.
        let holderClass: String
        let holder: Int64
        /// The stored name of the property; empty in a nested collection.
        let property: String
    }

    let store: StoreConnection
    private var keys: [String: [Int64: PrimaryKey]] = [:]
    private var places: [String: [Int64: Place]] = [:]

    /// Whether the file may have links whose targets are not here; nil before somebody asked.
    var hasUnresolvedLinks: Bool?
    /// Where the last element that the server put into a list came; nil after anything else was done to a list.
    var front: ListFront?
    /// Whether the file may have something that is put aside; nil before somebody asked.
    var hasUnknown: Bool?

    init(_ store: StoreConnection) { self.store = store }

    /// A statement that is prepared once for the connection.
    func statement(_ sql: String) throws(Realm.Error) -> Statement {
        // Any table keeps statements of whatever text, and forgets them with the connection.
        guard let table = store.tables.first else { return try store.connection.prepare(sql) }
        return try table.statement(sql)
    }

    // MARK: Keys

    /// Names the object of a row; nil when there is no such row.
    func address(_ className: String, _ row: Int64) throws(Realm.Error) -> ObjectAddress? {
        try primaryKey(className, row).map { ObjectAddress(ExactText(className), $0) }
    }

    private func primaryKey(_ className: String, _ row: Int64) throws(Realm.Error) -> PrimaryKey? {
        if let known = keys[className]?[row] { return known }
        guard let found = try readPrimaryKey(className, row) else { return nil }
        keys[className, default: [:]][row] = found
        return found
    }

    private func readPrimaryKey(_ className: String, _ row: Int64) throws(Realm.Error) -> PrimaryKey? {
        guard let table = store.table(named: className) else { return try unmanagedKey(className, row) }
        guard let slot = table.schema.primaryKeySlot else { return nil }
        let statement = try table.statement(
            "SELECT \(table.column(slot)) FROM \(table.name) WHERE \(StorageNames.key) = ?1"
        )
        return try key(statement, row, table.schema.shape.properties[slot].kind)
    }

    /// The primary key of an object whose class the instance does not manage.
    private func unmanagedKey(_ className: String, _ row: Int64) throws(Realm.Error) -> PrimaryKey? {
        let stored = try StoredSchema(store.connection).classes()[className]
        guard let property = stored?.properties.first(where: \.isPrimaryKey) else { return nil }
        let hasRowKey = try store.unmanagedPlaces().hasRowKey(className)
        let column = hasRowKey ? StorageNames.key : StorageNames.quoted(property.name)
        let statement = try store.connection.prepare(
            "SELECT \(column) FROM \(StorageNames.table(className)) WHERE \(StorageNames.key) = ?1"
        )
        return try key(statement, row, property.kind)
    }

    private func key(
        _ statement: Statement,
        _ row: Int64,
        _ kind: PropertyShape.Kind
    ) throws(Realm.Error) -> PrimaryKey? {
        statement.bind(1, row)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return PrimaryKey(Value(column: 0, of: statement.handle, kind))
    }

    // MARK: Values

    /// A value as it is sent; nil for a list or dictionary, and for a link to a row that is gone.
    ///
    /// - Parameters:
    ///   - cell: What a row holds.
    ///   - shape: The property that it holds it in.
    /// - Returns: The value.
    /// - Throws: A `Realm.Error` when the file cannot be read.
    func value(_ cell: AnyCell, _ shape: PropertyShape) throws(Realm.Error) -> CellValue? {
        switch cell {
        case .value(let value): return CellValue(value)
        case .link(let className, let row):
            guard let target = try address(className, row) else { return nil }
            return shape.kind == .any ? .anyLink(target) : .link(target)
        case .list, .dictionary: return nil
        }
    }

    // MARK: Places

    /// Where the properties of a row lie; nil for an embedded object that nobody holds, or that has no name yet.
    func place(_ table: ClassTable, _ row: Int64) throws(Realm.Error) -> Place? {
        guard table.schema.isEmbedded else {
            return try address(table.schema.name, row).map { Place(object: $0, path: CellPath(steps: [])) }
        }
        return try place(ofHeld: table.schema.name, row)
    }

    /// Where the elements of a nested list, or the entries of a nested dictionary, lie.
    func place(ofNested key: Int64) throws(Realm.Error) -> Place? { try place(ofHeld: SyncTables.nested, key) }

    private func place(ofHeld className: String, _ row: Int64) throws(Realm.Error) -> Place? {
        if let known = places[className]?[row] { return known }
        guard let life = try life(className, row), let around = try cell(holding: row, className, life) else {
            return nil
        }
        let found = Place(object: around.object, path: around.path.appending(.life(life.id)))
        places[className, default: [:]][row] = found
        return found
    }

    /// Where the cell lies that holds an embedded object or a nested collection.
    private func cell(holding row: Int64, _ className: String, _ life: HeldLife) throws(Realm.Error) -> Place? {
        if life.holderClass == SyncTables.nested {
            guard let around = try place(ofNested: life.holder) else { return nil }
            let step = try label(
                of: row,
                in: [(StorageNames.nestedElements, false), (StorageNames.nestedEntries, true)],
                isAny: true,
                life.holder
            )
            return step.map { Place(object: around.object, path: around.path.appending($0)) }
        }
        guard let table = store.table(named: life.holderClass), let around = try place(table, life.holder),
            let shape = table.schema.shape.properties.first(where: { $0.columnName == life.property })
        else { return nil }
        let property = around.path.appending(.property(ExactText(life.property)))
        guard shape.collection != .none else { return Place(object: around.object, path: property) }
        let name = StorageNames.table(life.holderClass, shape)
        let step = try label(
            of: row,
            in: [(name, shape.collection == .dictionary)],
            isAny: shape.kind == .any,
            life.holder
        )
        return step.map { Place(object: around.object, path: property.appending($0)) }
    }

    /// The element or entry of a collection that holds a row.
    private func label(
        of row: Int64,
        in tables: [(name: String, isMap: Bool)],
        isAny: Bool,
        _ owner: Int64
    ) throws(Realm.Error) -> CellPath.Step? {
        for (name, isMap) in tables {
            let column = isMap ? StorageNames.entryKey : StorageNames.element
            // Embedded objects have an index, see ``SyncTables/createElementIndex(of:named:_:)`` for the sign; nested collections have none.
            let (type, sign) = isAny ? (" AND \(StorageNames.valueType) IN \(StorageNames.nestedTags)", "") : ("", "+")
            let statement = try self.statement(
                """
                SELECT \(column) FROM \(name) \
                WHERE \(sign)\(StorageNames.owner) = ?1 AND \(StorageNames.value) = ?2\(type)
                """
            )
            statement.bind(1, owner)
            statement.bind(2, row)
            defer { statement.reset() }
            guard try statement.step() else { continue }
            if isMap { return .key(ExactText(statement.text(0))) }
            return ElementID(statement.int(0)).map(CellPath.Step.element)
        }
        return nil
    }

    // MARK: Lives

    /// The name of an embedded object or nested collection; nil before it has one.
    func life(_ className: String, _ row: Int64) throws(Realm.Error) -> HeldLife? {
        let statement = try statement(
            "SELECT life, holderClass, holder, property FROM \(SyncTables.lives) WHERE class = ?1 AND key = ?2"
        )
        statement.bind(1, className)
        statement.bind(2, row)
        defer { statement.reset() }
        guard try statement.step(), let id = ElementID(statement.int(0)) else { return nil }
        return HeldLife(
            id: id,
            holderClass: statement.text(1),
            holder: statement.int(2),
            property: statement.text(3)
        )
    }

    /// Gives an embedded object or nested collection its name.
    func setLife(_ life: HeldLife, _ className: String, _ row: Int64) throws(Realm.Error) {
        let statement = try statement(
            "INSERT OR REPLACE INTO \(SyncTables.lives) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        )
        statement.bind(1, className)
        statement.bind(2, row)
        statement.bind(3, Int64(life.id.bits))
        statement.bind(4, life.holderClass)
        statement.bind(5, life.holder)
        statement.bind(6, life.property)
        try statement.run()
    }
}

extension ElementID {
    /// The name that a column holds.
    init?(_ column: Int64) { self.init(bits: UInt64(bitPattern: column)) }
}
