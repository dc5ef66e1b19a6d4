import EventModel
import ObjectQueries

/// Turns rows into whole snapshots: with collections, embedded objects and the primary keys of links.
///
/// Everything is fetched in batches: the count of statements depends on the class, not on how many rows there are. A single row is
/// compared with its key alone: a list of keys is a table that SQLite makes for the statement, which costs more than the row.
struct WholeCapture {
    let store: StoreConnection

    /// Returns the whole snapshot of each row, in the same order.
    func whole(_ rows: [ObjectSnapshot], _ table: ClassTable) throws(Realm.Error) -> [ObjectSnapshot] {
        // Without links and collections a row is whole as it is.
        guard !table.schema.isFlat, !rows.isEmpty else { return rows }
        var fillers: [Filler] = []
        for property in table.schema.properties {
            guard property.isColumn else {
                fillers.append(try collection(property, rows, table))
                continue
            }
            switch property.type.kind {
            case .link: fillers.append(try link(property, rows))
            case .embedded: fillers.append(try embedded(property, rows))
            case .any:
                let cells = rows.lazy.map { AnyCell($0.packedValue(property.slot)) }
                fillers.append(.any(try contents(of: cells, table)))
            default: fillers.append(.copy)
            }
        }
        // One by one they would take a chunk each.
        var writer = table.wholeWriter.take() ?? SnapshotWriter(shape: table.schema.shape)
        var snapshots: [ObjectSnapshot] = []
        snapshots.reserveCapacity(rows.count)
        for row in rows {
            writer.begin(key: row.key, version: row.version, whole: true)
            for (slot, filler) in fillers.enumerated() { filler.fill(slot, from: row, &writer) }
            snapshots.append(writer.finish())
        }
        table.wholeWriter = consume writer
        return snapshots
    }

    /// What to put into one slot of each row.
    enum Filler {
        case copy
        case link(className: String, keys: [Int64: Value])
        case embedded([Int64: ObjectSnapshot])
        case elements([Int64: [Value]])
        case entries([Int64: [(key: String, value: Value)]])
        case any(AnyContents)

        func fill(_ slot: Int, from row: ObjectSnapshot, _ writer: inout SnapshotWriter) {
            switch self {
            case .copy: Self.copy(slot, from: row, &writer)
            case .link(let className, let keys):
                guard !row.isNull(slot) else { return }
                let key = row.int(slot)
                writer.setPacked(slot) { packed in
                    packed.append(linkTo: className, key: key) { $0.append(keys[key] ?? .null) }
                }
            case .embedded(let children):
                guard !row.isNull(slot), let child = children[row.int(slot)] else { return }
                writer.setPacked(slot) { $0.append(embedded: child) }
            case .any(let contents):
                guard !row.isNull(slot) else { return }
                let value = contents.value(of: AnyCell(row.packedValue(slot)))
                writer.setPacked(slot) { $0.append(value) }
            case .elements(let elements):
                writer.setPacked(slot) { $0.append(.list(elements[row.key] ?? [])) }
            case .entries(let entries):
                let entries = entries[row.key] ?? []
                writer.setPacked(slot) { packed in
                    packed.append(dictionaryOf: entries.count) { packed in
                        for (key, value) in entries {
                            packed.appendKey(key)
                            packed.append(value)
                        }
                    }
                }
            }
        }

        private static func copy(_ slot: Int, from row: ObjectSnapshot, _ writer: inout SnapshotWriter) {
            guard !row.isNull(slot) else { return }
            switch row.shape.properties[slot].kind {
            case .int: writer.set(slot, int: row.int(slot))
            case .bool: writer.set(slot, bool: row.bool(slot))
            case .float: writer.set(slot, float: row.float(slot))
            case .double, .date: writer.set(slot, double: row.double(slot))
            case .string, .data, .objectId, .uuid, .decimal128: writer.setBytes(slot, row.bytes(slot))
            case .any, .link, .embedded: break
            }
        }
    }

    // MARK: Single values

    private func link(_ property: PersistedProperty, _ rows: [ObjectSnapshot]) throws(Realm.Error) -> Filler {
        guard let table = target(of: property) else { return .copy }
        let keys = Set(rows.lazy.filter { !$0.isNull(property.slot) }.map { $0.int(property.slot) })
        return .link(className: table.schema.name, keys: try primaryKeys(table, keys))
    }

    private func embedded(_ property: PersistedProperty, _ rows: [ObjectSnapshot]) throws(Realm.Error) -> Filler {
        guard let table = target(of: property) else { return .copy }
        let keys = Set(rows.lazy.filter { !$0.isNull(property.slot) }.map { $0.int(property.slot) })
        return .embedded(try children(table, keys))
    }

    // MARK: Keys

    /// How a statement compares a column with some keys, which are its only argument.
    static func condition(_ count: Int) -> String { count == 1 ? "= ?1" : "IN (SELECT value FROM json_each(?1))" }

    /// Binds the keys of a statement with a ``condition(_:)``.
    static func bind(_ keys: some Collection<Int64>, to statement: Statement) {
        if keys.count == 1, let key = keys.first { statement.bind(1, key) } else { statement.bind(1, keys.jsonArray) }
    }

    // MARK: Targets

    func target(of property: PersistedProperty) -> ClassTable? {
        property.type.target.flatMap(store.table)
    }

    func children(_ table: ClassTable, _ keys: Set<Int64>) throws(Realm.Error) -> [Int64: ObjectSnapshot] {
        guard !keys.isEmpty else { return [:] }
        let rows = try table.rows(keys)
        let whole = try whole(Array(rows.values), table)
        return Dictionary(uniqueKeysWithValues: whole.map { ($0.key, $0) })
    }

    func primaryKeys(_ table: ClassTable, _ keys: Set<Int64>) throws(Realm.Error) -> [Int64: Value] {
        guard let slot = table.schema.primaryKeySlot, !keys.isEmpty else { return [:] }
        let statement = try table.statement(
            """
            SELECT \(StorageNames.key), \(table.column(slot)) FROM \(StorageNames.table(table.schema.name)) \
            WHERE \(StorageNames.key) \(Self.condition(keys.count))
            """
        )
        Self.bind(keys, to: statement)
        var values: [Int64: Value] = [:]
        let kind = table.schema.shape.properties[slot].kind
        while try statement.step() { values[statement.int(0)] = Value(column: 1, of: statement.handle, kind) }
        return values
    }
}
